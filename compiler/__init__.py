"""The compiler: from a scenario program's text to scenarios that run, one pass per file."""
