"""What a public alert may name: event groups of the organization, and regions of the United States."""
