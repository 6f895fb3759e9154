"""The scenario programs and skills that the project ships."""
