"""The commands of `skillsandbox`, one module each, imported when called: start-up is part of the product."""
