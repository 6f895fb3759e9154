"""The grammars of the scenario language, and what is made of them."""
