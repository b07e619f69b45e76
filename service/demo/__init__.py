"""The demo organization: travellers and trips made from a seed, the same every time but for dates relative to today."""
