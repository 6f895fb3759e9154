"""What options offer."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import Palette


def _any(values: str) -> Palette:
    return Palette(tuple(values.split("; ")))


def _ordered(values: str, growth: float | None = None) -> Palette:
    return Palette(tuple(values.split("; ")), ordered=True, growth=growth)


PALETTES = {
    "colors": _any(
        "Black; White; Grey; Dark Grey; Light Grey; Navy; Navy Blue; Royal Blue; Light Blue; Red; "
        "Wine Red; Burgundy; Pink; Rose Pink; Hot Pink; Purple; Lavender; Green; Army Green; Dark "
        "Green; Mint Green; Beige; Khaki; Brown; Coffee; Orange; Yellow; Teal"
    ),
    "clothes": _any(
        "Black; White; Navy; Navy Blue; Heather Grey; Dark Heather; Charcoal; Red; Wine Red; "
        "Royal Blue; Baby Blue; Kelly Green; Olive; Army Green; Cranberry; Asphalt; Purple; Pink; "
        "Silver; Khaki; Brown; A1-Black; A2-Blue; 01-Wine; C-White; Black/White; Blue/Grey"
    ),
    "denim": _any(
        "Black; Dark Blue; Light Blue; Stonewash; Medium Stonewash; Grey; Dark Indigo; Antique Wash; Rinse"
    ),
    "shoes": _any(
        "Black; Black Suede; Nude; Beige; Wine Red; Red; Silver; Gold; Champagne; Leopard; White; "
        "Brown; Navy; Patent-Beige; Black/Red; Rose"
    ),
    "lips": _any(
        "01 Rose; 02 Nude; 03 Coral; 04 Wine; 05 Berry; 06 Mauve; 07 Peach; 08 Ruby Red; Clear; "
        "Cherry; Dusty Pink; Soft Plum"
    ),
    "hair": _any(
        "1B Natural Black; #2 Dark Brown; #4 Medium Brown; #6 Chestnut Brown; #27 Strawberry "
        "Blonde; #613 Bleach Blonde; Ash Blonde; Auburn; Burgundy; #1 Jet Black; T1B/27; Silver "
        "Grey"
    ),
    "woods": _any(
        "Rustic Brown; Black; White; Walnut; Espresso; Natural Oak; White/Oak; Grey Wash; Dark "
        "Cognac; Cherry; Black Oak; Vintage Brown"
    ),
    "metals": _any(
        "Black; Bronze; Brushed Nickel; Chrome; Antique Brass; Matte Black; Gold; Oil-Rubbed Bronze"
    ),
    "gadgets": _any("Black; White; Silver; Blue; Red; Pink; Rose Gold; Space Grey; Green; Black/Red"),
    "prints": _any(
        "Butterfly; Marble; Sunflower; Cactus; Blue Ocean; Mandala; Cherry Blossom; Galaxy; "
        "Leopard; Flamingo; Elephant; Geometric; Floral 1; Floral 2; Plaid"
    ),
    "scents": _any(
        "Lavender; Vanilla; Eucalyptus; Rose; Coconut/Vanilla; Tea Tree; Citrus; White Sage; "
        "Jasmine; Unscented; Sandalwood; Fresh Linen"
    ),
    "mints": _any("Mint; Spearmint; Cool Mint; Cinnamon; Charcoal Mint; Watermelon"),
    "sweets": _any(
        "Chocolate; Vanilla; Chocolate Peanut Butter; Salted Caramel; Cookies & Cream; Mint "
        "Chocolate; Strawberry; Birthday Cake; Coconut; Double Chocolate; Blueberry; Lemon"
    ),
    "savory": _any(
        "Original; Sea Salt; Barbecue; Sour Cream & Onion; Jalapeno; Sweet Chili; Salt & Vinegar; "
        "Teriyaki; Peppered; Hickory Smoked; Honey Mustard; Ranch"
    ),
    "fruits": _any(
        "Strawberry; Lemonade; Blue Raspberry; Cherry; Peach Mango; Watermelon; Fruit Punch; "
        "Grape; Orange; Raspberry/Lemon; Variety Pack"
    ),
    "teas": _any(
        "Earl Grey; English Breakfast; Jasmine; Chamomile; Oolong; Peppermint; Chai; Lemon Ginger; Sencha"
    ),
    "spices": _any(
        "Garlic; Smoked Paprika; Italian; Taco; Lemon Pepper; Cajun; Everything; Curry; Chili Lime"
    ),
    "letters": _ordered("X-Small; Small; Medium; Large; X-Large; XX-Large; 3X-Large; 4X-Large"),
    "fits": _any("Men; Women; Youth"),
    "pants": _ordered(
        "28W x 30L; 29W x 30L; 30W x 30L; 30W x 32L; 32W x 30L; 32W x 32L; 34W x 32L; 36W x 32L; 38W x 34L"
    ),
    "women's shoes": _ordered("5; 5.5; 6; 6.5; 7; 7.5; 8; 8.5; 8.5 Wide; 9; 9.5; 10; 10.5; 11"),
    "men's shoes": _ordered("7; 7.5; 8; 8.5; 9; 9.5; 10; 10.5; 10.5 Wide; 11; 12; 13"),
    "slippers": _ordered(
        "5-6 Women/3-4 Men; 7-8 Women/5-6 Men; 9-10 Women/7-8 Men; 11-12 Women/9-10 Men; 13-14 "
        "Women/11-12 Men"
    ),
    "ounces": _ordered("2 Fl Oz; 4 Fl Oz; 8 Fl Oz; 12 Fl Oz; 16 Fl Oz; 33.8 Fl Oz", growth=0.34),
    "bottles": _ordered(
        "8 Fl Oz (Pack of 1); 8 Fl Oz (Pack of 2); 16 Fl Oz (Pack of 1); 16 Fl Oz (Pack of 2)",
        growth=0.45,
    ),
    "tubes": _ordered(
        "4 Ounce (Pack of 1); 4 Ounce (Pack of 2); 4 Ounce (Pack of 4); 4 Ounce (Pack of 6)",
        growth=0.6,
    ),
    "perfumes": _ordered("0.5 Fl Oz; 1 Fl Oz; 1.7 Fl Oz; 3.4 Fl Oz", growth=0.5),
    "counts": _ordered(
        "6 Count (Pack of 1); 12 Count (Pack of 1); 12 Count (Pack of 2); 12 Count (Pack of 4)",
        growth=0.7,
    ),
    "bags": _ordered(
        "3 Ounce (Pack of 1); 6 Ounce (Pack of 1); 6 Ounce (Pack of 4); 12 Ounce (Pack of 1); "
        "12 Ounce (Pack of 6)",
        growth=0.55,
    ),
    "pounds": _ordered("8 Ounce; 1 Pound; 2 Pound; 5 Pound", growth=0.6),
    "packs": _ordered("1 Pack; 2 Pack; 3 Pack; 4 Pack; 5 Pack", growth=0.5),
    "pieces": _ordered("12 Piece; 24 Piece; 36 Piece; 48 Piece", growth=0.3),
    "lengths": _ordered("14 Inch; 16 Inch; 18 Inch; 20 Inch; 22 Inch; 24 Inch; 26 Inch", growth=0.12),
    "feet": _ordered("1.5 Feet; 3 Feet; 6 Feet; 10 Feet; 15 Feet; 25 Feet; 50 Feet", growth=0.22),
    "tables": _ordered('39"; 47"; 55"; 60"; 70"', growth=0.16),
    "pillows": _ordered("12 x 20 Inch; 16 x 16 Inch; 18 x 18 Inch; 20 x 20 Inch; 24 x 24 Inch", growth=0.1),
    "curtains": _ordered(
        '42"W x 63"L; 42"W x 84"L; 52"W x 63"L; 52"W x 84"L; 52"W x 95"L; 52"W x 108"L', growth=0.12
    ),
    "posters": _ordered('12"x16"; 16"x20"; 16"x24"; 20"x30"; 24"x36"; 32"x48"', growth=0.3),
    "blankets": _ordered("40 x 50 Inch; 50 x 60 Inch; 60 x 80 Inch; 80 x 90 Inch", growth=0.22),
    "beds": _ordered("Twin; Full; Queen; King", growth=0.18),
    "rugs": _ordered("2 x 3 ft; 3 x 5 ft; 4 x 6 ft; 5 x 8 ft; 8 x 10 ft", growth=0.5),
    "candles": _ordered("6 Ounce; 9 Ounce; 14 Ounce; 20 Ounce", growth=0.3),
    "tiers": _ordered("2-Tier; 3-Tier; 4-Tier; 5-Tier; 6-Tier", growth=0.2),
    "phones": _any(
        "iPhone 13; iPhone 13 Pro; iPhone 13 Pro Max; iPhone 12/12 Pro; iPhone 11; iPhone XR; "
        "Galaxy S21; Galaxy S21 Ultra; Galaxy A12"
    ),
    "zooms": _ordered("8x21; 8x42; 10x25; 10x42; 12x50; 20x50", growth=0.15),
    "bundles": _ordered("Camera Only; Camera + 32GB Card; Camera + 64GB Card; Full Bundle", growth=0.16),
    "headsets": _ordered("Standard; With Case; With Case + Cable", growth=0.2),
    "watts": _ordered("18W; 30W; 45W; 65W; 100W", growth=0.25),
    "magnifications": _ordered("1X/3X; 1X/5X; 1X/7X; 1X/10X", growth=0.1),
    "chairs": _ordered("Without Armrest; With Armrest; With Footrest", growth=0.15),
    "bag sizes": _ordered("Small; Medium; Large", growth=0.25),
}
