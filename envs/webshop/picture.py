"""Drawings in place of product photos, which stand on other servers."""

from __future__ import annotations

import hashlib
from html import escape

from skillsandbox.envs.webshop.catalogue import Product

_SIDE = 240
_INITIALS = 2


def picture(product: Product) -> str:
    """Return an SVG drawing, square, in a colour of the product's own, with the initials of its kind."""
    hue = int(hashlib.sha256(product.asin.encode()).hexdigest(), 16) % 360
    words = [word for word in product.kind.split() if word[0].isalnum()]
    initials = "".join(word[0] for word in words[:_INITIALS]).upper()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}">'
        f'<rect width="{_SIDE}" height="{_SIDE}" fill="hsl({hue} 45% 88%)"/>'
        f'<circle cx="{_SIDE / 2}" cy="{_SIDE / 2}" r="{_SIDE / 3.2}" fill="hsl({hue} 45% 74%)"/>'
        f'<text x="50%" y="50%" dy=".36em" text-anchor="middle" font-family="sans-serif" font-size="64" '
        f'fill="hsl({hue} 50% 24%)">{escape(initials)}</text></svg>'
    )
