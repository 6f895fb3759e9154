"""The scenario programs and skills that the project ships."""

TEMPLATE = "template.scn"
"""The program to start from, beside those of an environment's library."""
