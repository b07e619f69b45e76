"""The shape library: regions out of zipped shapefiles and KML, in folders."""
