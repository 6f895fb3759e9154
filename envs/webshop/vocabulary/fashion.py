"""The kinds of products of the department fashion."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import kind

_SHOP = "Clothing, Shoes & Jewelry"

FASHION = (
    kind(
        "Women's Pumps",
        "fashion",
        f"{_SHOP} > Women > Shoes > Pumps",
        nouns="Pumps; High Heels; Stiletto Pumps; Dress Shoes",
        styles="Pointed Toe; Round Toe; Slip On; Satin; Patent; Chunky",
        details="for Women; for Party and Wedding; with Bow; 4 Inch",
        claims="rubber sole; ankle strap; high heel; closed toe; open toe; leather sole; day comfort; "
        "daily wear; memory foam; unique design",
        options="Color: shoes; Size: women's shoes",
        price=(22, 96),
        facts=(
            "The insole is padded from heel to toe.",
            "They run true to size.",
            "The heel tip can be replaced.",
        ),
    ),
    kind(
        "Men's T-Shirts",
        "fashion",
        f"{_SHOP} > Men > Clothing > Shirts > T-Shirts",
        nouns="T-Shirt; Tee Shirt; Graphic Shirt; Crewneck T-Shirt",
        styles="Vintage; Funny; Crewneck; Pocket; Retro; Heavyweight",
        details="for Men; Graphic Tees; with Chest Print; Gift for Dad",
        claims="short sleeve; classic fit; machine wash; needle sleeve; cotton heather; polyester "
        "heathers; slim fit; officially licensed; daily wear; long sleeve",
        options="Fit Type: fits; Color: clothes; Size: letters",
        price=(9, 34),
        facts=(
            "Solid colors are all cotton and heathers are a blend.",
            "The print does not crack in the wash.",
            "The collar keeps its shape.",
        ),
    ),
    kind(
        "Women's Fashion Hoodies & Sweatshirts",
        "fashion",
        f"{_SHOP} > Women > Clothing > Fashion Hoodies & Sweatshirts",
        nouns="Pullover Hoodie; Crewneck Sweatshirt; Zip Hoodie; Hoodie Sweatshirt",
        styles="Oversized; Cropped; Color Block; Fleece; Vintage; Lightweight",
        details="for Women; with Pockets; with Thumb Holes; Fall 2021",
        claims="long sleeve; machine wash; fleece lined; drawstring closure; loose fit; polyester "
        "cotton; teen girls; contrast color; winter warm; hand wash",
        options="Color: clothes; Size: letters",
        price=(15, 58),
        facts=(
            "Ribbed cuffs keep the wind out.",
            "The cut is roomy, so take your usual size.",
            "It pairs well with jeans or leggings.",
        ),
    ),
    kind(
        "Women's Swimsuits & Cover Ups",
        "fashion",
        f"{_SHOP} > Women > Clothing > Swimsuits & Cover Ups > One-Pieces",
        nouns="One Piece Swimsuit; Bikini Swimsuit; Tankini Set; Swimsuit Cover Up",
        styles="Ruched; Halter; Floral; Retro; V Neck; Ruffled",
        details="for Women; with Padded Cups; Plus Size; Bathing Suits 2021",
        claims="tummy control; high waist; quick drying; nylon spandex; polyester spandex; low rise; "
        "hand wash; teen girls; drawstring closure; unique design",
        options="Color: prints; Size: letters",
        price=(14, 49),
        facts=(
            "The straps can be adjusted and removed.",
            "The fabric does not become see-through when it is wet.",
            "Rinse it in clear water after the pool.",
        ),
    ),
    kind(
        "Men's Jeans",
        "fashion",
        f"{_SHOP} > Men > Clothing > Jeans",
        nouns="Jeans; Denim Pants; Skinny Jeans; Work Jeans",
        styles="Stretch; Ripped; Bootcut; Rigid; Tapered; Distressed",
        details="for Men; with 5 Pockets; Big and Tall; 12 oz Denim",
        claims="straight leg; slim fit; relaxed fit; button closure; machine wash; stretch fabric; "
        "comfortable fit; imported zipper; everyday wear; wash cold",
        options="Color: denim; Size: pants",
        price=(24, 89),
        facts=(
            "The denim softens after a few days.",
            "Rivets and double seams hold the pockets.",
            "The leg opening is 16 inches.",
        ),
    ),
    kind(
        "Women's Sandals",
        "fashion",
        f"{_SHOP} > Women > Shoes > Sandals",
        nouns="Flat Sandals; Platform Sandals; Wedge Sandals; Slide Sandals",
        styles="Strappy; Boho; Espadrille; Gladiator; Slip On; Woven",
        details="for Women; for Beach and Travel; with Buckle; Summer 2021",
        claims="open toe; ankle strap; arch support; memory foam; rubber sole; synthetic sole; non slip; "
        "daily wear; elastic closure; high heel",
        options="Color: shoes; Size: women's shoes",
        price=(18, 74),
        facts=(
            "The straps do not rub.",
            "The footbed is shaped like a foot.",
            "If you are between sizes, take the larger one.",
        ),
    ),
    kind(
        "Men's Fashion Sneakers",
        "fashion",
        f"{_SHOP} > Men > Shoes > Fashion Sneakers",
        nouns="Sneakers; Walking Shoes; Running Shoes; Casual Shoes",
        styles="Breathable; Canvas; Low Top; Mesh; Retro; Knit",
        details="for Men; for Gym and Street; with Air Cushion; Size 7-13",
        claims="rubber outsole; lace closure; arch support; slip resistant; rubber sole; light weight; "
        "memory foam; everyday wear; synthetic sole; work shoes",
        options="Color: shoes; Size: men's shoes",
        price=(26, 110),
        facts=(
            "Air passes through the upper.",
            "The insole can be taken out.",
            "Reflective strips show you at night.",
        ),
    ),
    kind(
        "Women's Leggings",
        "fashion",
        f"{_SHOP} > Women > Clothing > Leggings",
        nouns="Yoga Pants; Workout Leggings; Yoga Shorts; Leggings",
        styles="Seamless; Capri; Flare; Ribbed; Compression; 7/8",
        details="for Women; with Pockets; Tie Dye; 28 Inch",
        claims="high waist; tummy control; moisture wicking; gym workout; polyester spandex; nylon "
        "spandex; butt lifting; machine wash; elastic waistband; quick drying",
        options="Color: clothes; Size: letters",
        price=(12, 48),
        facts=(
            "They pass the squat test.",
            "Flat seams prevent chafing.",
            "A hidden pocket holds key and card.",
        ),
    ),
    kind(
        "Men's Dress Shirts",
        "fashion",
        f"{_SHOP} > Men > Clothing > Shirts > Dress Shirts",
        nouns="Dress Shirt; Polo Shirt; Button Down Shirt; Oxford Shirt",
        styles="Non Iron; Linen; Striped; Plaid; Banded Collar; Poplin",
        details="for Men; with Pocket; Big and Tall; Wrinkle Free",
        claims="long sleeve; short sleeve; slim fit; regular fit; button closure; easy care; machine "
        "wash; dry clean; polyester cotton; cotton spandex",
        options="Color: clothes; Size: letters",
        price=(16, 72),
        facts=(
            "The collar stays up under a jacket.",
            "A spare button is sewn inside.",
            "The sleeve length is 34 inches in medium.",
        ),
    ),
    kind(
        "Women's Sleep & Lounge",
        "fashion",
        f"{_SHOP} > Women > Clothing > Lingerie, Sleep & Lounge > Sleep & Lounge > Sets",
        nouns="Pajama Set; Lounge Pants; Pajama Pants; Satin Robe",
        styles="Satin; Waffle Knit; Plaid; Silky; Buttoned; Bamboo",
        details="for Women; 2 Pieces; with Pockets; Christmas Edition",
        claims="short sleeve; long sleeve; elastic waistband; drawstring waist; quality polyester; hand "
        "wash; machine washable; super soft; loose fit; wide leg",
        options="Color: prints; Size: letters",
        price=(14, 56),
        facts=(
            "The fabric feels cool in summer and warm in winter.",
            "Piping along the seams adds a fine line.",
            "It comes folded in a cloth bag.",
        ),
    ),
    kind(
        "Men's Shorts",
        "fashion",
        f"{_SHOP} > Men > Clothing > Active > Active Shorts",
        nouns="Athletic Shorts; Gym Shorts; Running Shorts; Cargo Shorts",
        styles="2 in 1; Mesh; Ripstop; Fleece; 7 Inch; Hybrid",
        details="for Men; with Zipper Pockets; with Liner; 3 Pack",
        claims="elastic waist; drawstring closure; quick drying; moisture wicking; machine wash; gym "
        "workout; relaxed fit; polyester spandex; light weight; elastic waistband",
        options="Color: clothes; Size: letters",
        price=(12, 44),
        facts=(
            "The split hem gives room to run.",
            "Pockets are deep enough for a phone.",
            "The inseam is seven inches.",
        ),
    ),
    kind(
        "Slippers",
        "fashion",
        f"{_SHOP} > Women > Shoes > Slippers",
        nouns="House Slippers; Fuzzy Slippers; Slide Slippers; Moccasin Slippers",
        styles="Fluffy; Cozy; Knitted; Cross Band; Suede; Plush",
        details="for Women and Men; Indoor Outdoor; with Hard Sole; for Bedroom",
        claims="memory foam; faux fur; non slip; rubber sole; machine washable; arch support; open toe; "
        "winter warm; perfect gift; closed toe",
        options="Color: colors; Size: slippers",
        price=(11, 46),
        facts=(
            "The sole makes no noise on wood.",
            "Good for a quick trip to the mailbox.",
            "They come in a box that can be a gift.",
        ),
    ),
)
