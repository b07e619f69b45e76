"""The shape library: regions from zipped shapefiles and KML, in folders."""
