"""An estimate of a filter on a file of contacts. Nothing of that file is stored or sent."""
