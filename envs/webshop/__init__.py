"""WebShop: a shop in text, as the official benchmark serves it."""
