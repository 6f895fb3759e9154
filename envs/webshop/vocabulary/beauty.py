"""The kinds of products of the department beauty."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import kind

BEAUTY = (
    kind(
        "Lips Makeup",
        "beauty",
        "Beauty & Personal Care > Makeup > Lips > Lip Glosses",
        nouns="Lip Gloss; Lip Stain; Liquid Lipstick; Tinted Lip Balm",
        styles="Matte; Glossy; Velvet; Hydrating; Plumping; Sheer",
        details="for Everyday Makeup; with Vitamin E; Set of 3; with Mirror Cap",
        claims="long lasting; cruelty free; easy apply; highly pigmented; paraben free; shea butter; "
        "natural ingredients; non toxic; easy carry; great gift",
        options="Color: lips",
        price=(5, 24),
        facts=(
            "One layer gives a soft tint and two give full color.",
            "The formula feels light and never sticky.",
            "It comes in a slim tube that fits any pocket.",
        ),
    ),
    kind(
        "Shampoo & Conditioner",
        "beauty",
        "Beauty & Personal Care > Hair Care > Shampoo & Conditioner > Shampoos",
        nouns="Shampoo; Repair Shampoo; Shampoo and Conditioner Set; Moisturizing Shampoo",
        styles="Botanical; Nourishing; Clarifying; Volumizing; Keratin; Scalp Care",
        details="for Men and Women; for Color Treated Hair; with Biotin; with Rosemary",
        claims="sulfate free; paraben free; coconut oil; argan oil; tea tree; damaged hair; dry hair; "
        "hair growth; hair loss; natural hair; cruelty free; natural ingredients",
        options="Scent: scents; Size: bottles",
        price=(8, 46),
        facts=(
            "Massage into wet hair, leave for a minute and rinse.",
            "The pump bottle is made of recycled material.",
            "It lathers well even in hard water.",
        ),
    ),
    kind(
        "Hair Extensions, Wigs & Accessories",
        "beauty",
        "Beauty & Personal Care > Hair Care > Hair Extensions, Wigs & Accessories > Hair Extensions",
        nouns="Clip in Hair Extensions; Tape in Extensions; Ponytail Extension; Hair Topper",
        styles="Straight; Body Wave; Curly; Remy; Layered; Seamless",
        details="7 Pieces; 20 Pieces 50g; with Hair Clips; for Thin Hair",
        claims="hair extensions; synthetic hair; natural hair; high quality; easy use; double sided; "
        "hair loss; hair styling; teen girls",
        options="Color: hair; Size: lengths",
        price=(16, 130),
        facts=(
            "They can be washed, curled and straightened with low heat.",
            "The weft is thin and lies flat against the head.",
            "Tangles are rare when they are brushed from the ends up.",
        ),
    ),
    kind(
        "Makeup Brushes & Tools",
        "beauty",
        "Beauty & Personal Care > Tools & Accessories > Makeup Brushes & Tools > Brush Sets",
        nouns="Makeup Brush Set; Brush Set; Makeup Brush; Blending Sponge Set",
        styles="Professional; Kabuki; Vegan; Marble; Premium; Travel",
        details="12 Pieces; 10 Pieces; with Pouch; for Foundation and Powder",
        claims="cruelty free; synthetic hair; easy clean; easy carry; high quality; eye shadow; rose "
        "gold; storage case; beauty salon; gift set; long handle; stainless steel",
        options="Color: gadgets",
        price=(7, 42),
        facts=(
            "The bristles are dense and do not shed.",
            "Handles are weighted so that they lie well in the hand.",
            "Suitable for liquids, creams and powders.",
        ),
    ),
    kind(
        "Body Care",
        "beauty",
        "Beauty & Personal Care > Skin Care > Body > Moisturizers > Lotions",
        nouns="Body Lotion; Body Cream; Body Butter; Hand Cream",
        styles="Daily; Intensive; Whipped; Soothing; Overnight; Botanical",
        details="with Vitamin E; for Hands and Feet; with Pump; with Oat Extract",
        claims="shea butter; dry skin; sensitive skin; paraben free; fragrance free; aloe vera; coconut "
        "oil; dermatologist tested; cruelty free; oil free; olive oil; travel size",
        options="Scent: scents; Size: ounces",
        price=(6, 34),
        facts=(
            "It sinks in within seconds and leaves no film.",
            "Use it after every shower for best results.",
            "One jar lasts about two months.",
        ),
    ),
    kind(
        "Toothpaste",
        "beauty",
        "Beauty & Personal Care > Oral Care > Toothpaste",
        nouns="Toothpaste; Whitening Toothpaste; Toothpaste Gel; Charcoal Toothpaste",
        styles="Fluoride Free; Enamel Care; Herbal; Advanced; Gentle; Nano",
        details="for Adults; for the Whole Family; with Xylitol; with Baking Soda",
        claims="teeth whitening; sensitive teeth; fresh breath; bad breath; natural ingredients; tea "
        "tree; oral hygiene; clinically proven; gluten free; non toxic",
        options="Flavor Name: mints; Size: tubes",
        price=(5, 26),
        facts=(
            "A pea of it is enough for a whole brush.",
            "The taste is mild and does not burn.",
            "The tube can be recycled with plastics.",
        ),
    ),
    kind(
        "Women's Fragrance",
        "beauty",
        "Beauty & Personal Care > Fragrance > Women's > Eau de Parfum",
        nouns="Eau de Parfum; Parfum Spray; Eau de Toilette; Perfume Oil",
        styles="Floral; Woody; Midnight; Fresh; Amber; Velvet",
        details="for Women; Natural Spray; with Jasmine and Musk; in a Gift Box",
        claims="long lasting; gift set; travel size; easy carry; valentine day; perfect gift; alcohol "
        "free; essential oils; cruelty free",
        options="Size: perfumes",
        price=(14, 98),
        facts=(
            "It opens with bergamot and dries down to soft woods.",
            "Two sprays are enough for the evening.",
            "The bottle is heavy glass with a magnetic cap.",
        ),
    ),
    kind(
        "Mirrors",
        "beauty",
        "Beauty & Personal Care > Tools & Accessories > Mirrors > Makeup Mirrors",
        nouns="Makeup Mirror; Vanity Mirror; Compact Mirror; Lighted Makeup Mirror",
        styles="Lighted; Tabletop; Folding; Trifold; Magnifying; Portable",
        details="with 21 Lights; with Stand; 360 Degree Rotation; with 3 Color Modes",
        claims="double sided; touch screen; easy carry; rose gold; easy use; usb port; beauty salon; "
        "wall mounted; high definition; aaa batteries",
        options="Color: gadgets; Size: magnifications",
        price=(12, 68),
        facts=(
            "The glass shows true colors without distortion.",
            "Brightness can be set in ten steps.",
            "It folds flat when it is not in use.",
        ),
    ),
    kind(
        "Bags & Cases",
        "beauty",
        "Beauty & Personal Care > Tools & Accessories > Bags & Cases > Cosmetic Bags",
        nouns="Makeup Bag; Cosmetic Bag; Toiletry Bag; Hairdressing Backpack; Makeup Backpack; Travel "
        "Bottles Bag",
        styles="Large; Hanging; Quilted; Clear; Professional; Waterproof",
        details="with Dividers; for Women and Men; with Brush Holder; with Shoulder Strap",
        claims="easy clean; easy carry; high quality; leak proof; water resistant; storage case; travel "
        "size; eye shadow; beauty salon; hair cutting; pu leather; bpa free",
        options="Color: colors; Size: bag sizes",
        price=(11, 79),
        facts=(
            "Elastic loops keep brushes and scissors upright.",
            "The compartments can be moved and removed.",
            "A strap at the back slides over a suitcase handle.",
        ),
    ),
    kind(
        "Skin Care Sets & Kits",
        "beauty",
        "Beauty & Personal Care > Skin Care > Sets & Kits",
        nouns="Skin Care Set; Face Cream Kit; Facial Serum Set; Sheet Mask Set",
        styles="Brightening; Collagen; Daily; Renewing; Soothing; Vitamin C",
        details="5 Pieces; for Women; with Jade Roller; with Cleanser and Toner",
        claims="anti aging; fine lines; hyaluronic acid; dark circles; green tea; dead skin; sensitive "
        "skin; clinically proven; cruelty free; seed oil; gift set; alcohol free",
        options="Size: packs",
        price=(14, 88),
        facts=(
            "Morning and evening routines take three minutes each.",
            "All jars have airless pumps.",
            "Try it on a small patch of skin first.",
        ),
    ),
)
