"""One method an endpoint, an area a module. A resource declares path, parameters, body and result, and no more."""
