"""Read shape files in a confined process, with limits on memory and time. The dashboard and the service use it.

The package imports no other package of the project. In the caller's process it imports only the standard library:
GDAL, GEOS, and PROJ are loaded only in the confined process, which ends after one file.
"""
