"""The kinds of products of the department garden, which is house and home."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import kind

_HOME = "Home & Kitchen"

GARDEN = (
    kind(
        "Console Tables",
        "garden",
        f"{_HOME} > Furniture > Living Room Furniture > Tables > Sofa & Console Tables",
        nouns="Console Table; Sofa Table; Entryway Table; Hallway Table",
        styles="Rustic; Narrow; Industrial; Farmhouse; Mid Century; Slim",
        details="with 2 Drawers; with Bottom Shelf; for Entryway; with Power Outlets",
        claims="living room; easy assemble; solid wood; storage space; metal frame; metal legs; "
        "engineered wood; assembly required; easy clean; space saving",
        options="Color: woods; Size: tables",
        price=(49, 330),
        facts=(
            "The top holds up to 90 pounds.",
            "Rounded corners are kind to children.",
            "It stands just behind a sofa or below a mirror.",
        ),
    ),
    kind(
        "Throw Pillows",
        "garden",
        f"{_HOME} > Bedding > Decorative Pillows, Inserts & Covers > Throw Pillow Covers",
        nouns="Throw Pillow Covers; Pillow Covers; Throw Pillow; Lumbar Pillow",
        styles="Boho; Velvet; Linen; Embroidered; Tufted; Farmhouse",
        details="Set of 2; with Tassels; for Couch and Bed; with Hidden Zipper",
        claims="living room; super soft; machine washable; double sided; home decor; exquisite "
        "workmanship; high quality; printing technology; faux fur; dining room",
        options="Color: prints; Size: pillows",
        price=(8, 42),
        facts=(
            "The inserts are not included.",
            "The fabric does not pill.",
            "Colors match our curtains and throws.",
        ),
    ),
    kind(
        "Window Curtains",
        "garden",
        f"{_HOME} > Home Decor Products > Window Treatments > Curtains & Drapes > Panels",
        nouns="Window Curtain; Blackout Curtains; Curtain Panels; Sheer Curtains",
        styles="Thermal; Linen; Grommet; Velvet; Pinch Pleat; Striped",
        details="Set of 2 Panels; for Bedroom; with Tiebacks; Noise Reducing",
        claims="living room; machine washable; easy install; dining room; eco friendly; high density; "
        "printing technology; super soft; home decor",
        options="Color: colors; Size: curtains",
        price=(17, 88),
        facts=(
            "They keep out nine tenths of the light.",
            "The hem is weighted so that they hang straight.",
            "Iron on low if needed.",
        ),
    ),
    kind(
        "Home Office Chairs",
        "garden",
        f"{_HOME} > Furniture > Home Office Furniture > Home Office Chairs > Home Office Desk Chairs",
        nouns="Office Chair; Desk Chair; Ergonomic Office Chair; Gaming Chair",
        styles="Ergonomic; Executive; Mesh; Swivel; High Back; Armless",
        details="with Lumbar Support; with Wheels; 300 lbs; with Flip Up Arms",
        claims="height adjustable; easy assemble; home office; pu leather; heavy duty; high density; "
        "steel frame; easy clean; faux leather; office desk; button tufted",
        options="Color: colors; Style: chairs",
        price=(69, 340),
        facts=(
            "It reclines and locks in three positions.",
            "Castors roll quietly on carpet and wood.",
            "The gas lift is certified.",
        ),
    ),
    kind(
        "Floor Lamps",
        "garden",
        "Tools & Home Improvement > Lighting & Ceiling Fans > Lamps & Shades > Floor Lamps",
        nouns="Floor Lamp; Arc Floor Lamp; Reading Lamp; Tripod Floor Lamp",
        styles="Modern; Dimmable; Tall; Rustic; Torchiere; Minimalist",
        details="with Shelves; with Foot Switch; for Bedroom; 65 Inch",
        claims="living room; led bulb; glass shade; easy assemble; bronze finish; nickel finish; height "
        "adjustable; remote control; home office; contemporary style",
        options="Color: metals",
        price=(32, 168),
        facts=(
            "The heavy base does not tip.",
            "The cord is eight feet long.",
            "It takes standard bulbs.",
        ),
    ),
    kind(
        "Bookcases",
        "garden",
        f"{_HOME} > Furniture > Home Office Furniture > Bookcases",
        nouns="Bookcase; Storage Shelf; Shelf Bookcase; Storage Cabinet",
        styles="Open; Ladder; Industrial; Corner; Tall; Cube",
        details="with Doors; with Back Panel; for Books and Plants; 70 Inch",
        claims="storage space; living room; home office; easy assemble; adjustable shelves; metal frame; "
        "engineered wood; coated steel; assembly required; white finish",
        options="Color: woods; Size: tiers",
        price=(45, 260),
        facts=(
            "An anchor for the wall is included.",
            "Each shelf holds 40 pounds.",
            "The back is open, so that cables pass through.",
        ),
    ),
    kind(
        "Candles",
        "garden",
        f"{_HOME} > Home Decor Products > Candles & Holders > Candles > Jar Candles",
        nouns="Scented Candle; Jar Candle; Soy Candle; Aromatherapy Candle",
        styles="Luxury; Three Wick; Hand Poured; Amber Glass; Tin; Seasonal",
        details="with Wooden Lid; 50 Hours Burn Time; for Home and Bath; Gift for Her",
        claims="soy wax; lead free; long lasting; essential oils; living room; eco friendly; hand "
        "crafted; perfect gift; clear glass; valentine day",
        options="Scent: scents; Size: candles",
        price=(9, 44),
        facts=(
            "Trim the wick before you light it.",
            "The jar can be used again.",
            "The scent is gentle and fills one room.",
        ),
    ),
    kind(
        "Wall Art",
        "garden",
        f"{_HOME} > Wall Art > Posters & Prints",
        nouns="Wall Art; Canvas Wall Art; Framed Wall Art; Art Print",
        styles="Abstract; Botanical; Black and White; Coastal; Vintage; Minimalist",
        details="3 Panels; for Bedroom and Bathroom; Set of 4; with Frame",
        claims="ready hang; living room; dining room; wood frame; home decor; printing technology; easy "
        "clean; home office; high definition; contemporary design",
        options="Color: prints; Size: posters",
        price=(14, 120),
        facts=(
            "The inks do not fade in the sun.",
            "The canvas is stretched by hand.",
            "Edges are printed as well.",
        ),
    ),
    kind(
        "Beds",
        "garden",
        f"{_HOME} > Furniture > Bedroom Furniture > Beds, Frames & Bases > Beds",
        nouns="Platform Bed; Bed Frame; Upholstered Bed; Daybed",
        styles="Low Profile; Wingback; Modern; Metal; Wooden; Storage",
        details="with Headboard; with 4 Drawers; with Slats; with LED Lights",
        claims="box spring; queen size; twin size; king size; assembly required; faux leather; button "
        "tufted; solid wood; metal frame; steel frame; easy assemble",
        options="Color: colors; Size: beds",
        price=(119, 620),
        facts=(
            "Twelve slats carry the mattress without a squeak.",
            "There are nine inches of room below.",
            "It ships in two boxes.",
        ),
    ),
    kind(
        "Throw Blankets",
        "garden",
        f"{_HOME} > Bedding > Blankets & Throws > Throws",
        nouns="Throw Blanket; Fleece Blanket; Fleece Throw; Knit Throw Blanket",
        styles="Sherpa; Chunky; Flannel; Cartoon; Cooling; Weighted",
        details="for Couch and Bed; with Pom Poms; All Season; Gift for Kids",
        claims="super soft; machine washable; living room; double sided; faux fur; easy care; light "
        "weight; printing technology; twin size; queen size; great gift",
        options="Color: prints; Size: blankets",
        price=(14, 76),
        facts=(
            "It does not shed.",
            "The edges are stitched twice.",
            "It warms without weight.",
        ),
    ),
    kind(
        "TV Stands",
        "garden",
        f"{_HOME} > Furniture > Living Room Furniture > TV & Media Furniture > Television Stands",
        nouns="TV Stand; TV Cabinet; Entertainment Center; Media Console",
        styles="Modern; Farmhouse; Floating; Corner; High Gloss; Low",
        details="for 65 Inch TV; with LED Lights; with Sliding Doors; with Fireplace",
        claims="storage space; living room; easy assemble; engineered wood; adjustable shelves; white "
        "finish; solid wood; wall mounted; metal legs; contemporary design; tempered glass; wood "
        "finish",
        options="Color: woods; Size: tables",
        price=(79, 420),
        facts=(
            "Openings at the back take the cables.",
            "It carries 150 pounds.",
            "The doors close softly.",
        ),
    ),
    kind(
        "Area Rugs",
        "garden",
        f"{_HOME} > Home Decor Products > Area Rugs, Runners & Pads > Area Rugs",
        nouns="Area Rug; Shag Rug; Runner Rug; Washable Rug",
        styles="Oriental; Moroccan; Fluffy; Distressed; Braided; Geometric",
        details="for Bedroom; with Fringe; Low Pile; Indoor Outdoor",
        claims="living room; dining room; non slip; easy clean; super soft; machine washable; high "
        "density; home decor; anti slip; eco friendly",
        options="Color: colors; Size: rugs",
        price=(19, 240),
        facts=(
            "It lies flat after a day.",
            "The pile is half an inch high.",
            "It is safe on heated floors.",
        ),
    ),
)
