"""Shape files, read in a process of their own with limits on memory and time, for dashboard and service alike.

Imports nothing else of ours, and in the caller's process nothing but the standard library: GDAL, GEOS and PROJ are
loaded only by the process that ends with the file.
"""
