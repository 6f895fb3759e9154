"""The environments in which scenarios are built, one folder each."""
