"""The kinds of products of the department electronics."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import kind

ELECTRONICS = (
    kind(
        "Cell Phone Cases",
        "electronics",
        "Cell Phones & Accessories > Cases, Holsters & Sleeves > Basic Cases",
        nouns="Phone Case; Case Cover; Wallet Case; Flip Case",
        styles="Slim; Shockproof; Clear; Rugged; Leather; Silicone",
        details="with Card Holder; with Kickstand; with Ring Holder; 6.1 Inch",
        claims="wireless charging; screen protector; tempered glass; heavy duty; iphone pro; samsung "
        "galaxy; hands free; easy install; light weight; anti slip",
        options="Color: prints; Size: phones",
        price=(7, 36),
        facts=(
            "Raised edges protect lens and display from the table.",
            "All ports and buttons stay within reach.",
            "It survived falls from ten feet in our tests.",
        ),
    ),
    kind(
        "Headphones",
        "electronics",
        "Electronics > Headphones, Earbuds & Accessories > Headphones & Earbuds > Over-Ear Headphones",
        nouns="Wireless Headset; Bluetooth Headset; Wireless Earbuds; Over Ear Headphones",
        styles="Active; Sport; Foldable; Studio; True; Lightweight",
        details="with Microphone; 40 Hours Playtime; for Work and Travel; with Deep Bass",
        claims="noise cancelling; hands free; wireless bluetooth; stereo sound; charging case; volume "
        "control; fast charging; water resistant; carrying case; gym workout",
        options="Color: gadgets; Style: headsets",
        price=(18, 149),
        facts=(
            "Soft cushions stay comfortable for a whole flight.",
            "A cable for use without battery is included.",
            "Two devices can be connected at once.",
        ),
    ),
    kind(
        "HDMI Cables",
        "electronics",
        "Electronics > Television & Video > Accessories > Cables > HDMI Cables",
        nouns="HDMI Cable; HDMI Extension Cable; Braided HDMI Cord; HDMI to DVI Cable",
        styles="Premium; Certified; Flat; Nylon Braided; Slim; Right Angle",
        details="for TV and Monitor; 4K 60Hz; with Ethernet; Male to Male",
        claims="high speed; gold plated; ultra hd; blu ray; plug play; 1080p hd; heavy duty; home "
        "theater; nintendo switch; aluminum alloy",
        options="Color: gadgets; Size: feet",
        price=(6, 38),
        facts=(
            "Three layers of shielding keep out interference.",
            "The strain relief was bent ten thousand times in our tests.",
            "Works with every device that has the port.",
        ),
    ),
    kind(
        "Bluetooth Speakers",
        "electronics",
        "Electronics > Portable Audio & Video > Portable Speakers & Docks > Portable Bluetooth Speakers",
        nouns="Bluetooth Speaker; Portable Bluetooth Speaker; Outdoor Speaker; Sound Bar",
        styles="Mini; Retro; Waterproof; Loud; Rugged; Wooden",
        details="with Lights; 24 Hours Playtime; for Party and Beach; 20W",
        claims="wireless bluetooth; stereo sound; hands free; usb port; tf card; fm radio; easy carry; "
        "high performance; water resistant; great gift",
        options="Color: gadgets",
        price=(15, 120),
        facts=(
            "Two of them pair for a wider stage.",
            "A passive radiator makes the bass fuller.",
            "The strap hangs it on a bike or a branch.",
        ),
    ),
    kind(
        "Digital Cameras",
        "electronics",
        "Electronics > Camera & Photo > Digital Cameras > Point & Shoot Digital Cameras",
        nouns="Digital Camera; Compact Digital Camera; Vlogging Camera; Action Camera",
        styles="Compact; Waterproof; Mini; Rechargeable; Wifi; Beginner",
        details="30MP with Flip Screen; for Kids and Teens; with 2.8 Inch Display; 48MP 4K",
        claims="optical zoom; high resolution; easy use; digital photography; sd card; 1080p hd; high "
        "speed; carrying case; easy carry; high definition",
        options="Color: gadgets; Style: bundles",
        price=(39, 260),
        facts=(
            "Face detection keeps everybody sharp.",
            "Two batteries and a charger are in the box.",
            "Photos go to the computer by cable or card.",
        ),
    ),
    kind(
        "Remote Controls",
        "electronics",
        "Electronics > Television & Video > Accessories > Remote Controls",
        nouns="Remote Control; Replacement Remote Control; TV Remote; Universal Remote",
        styles="Infrared; Voice; Backlit; Standard; Learning; Slim",
        details="for LED and LCD TV; with Netflix Button; No Setup Required; for Sound System",
        claims="aaa batteries; easy use; smart tv; dvd player; high performance; blu ray; high quality; "
        "plug play; home theater",
        options="Style: packs",
        price=(7, 32),
        facts=(
            "The range is thirty feet and the angle wide.",
            "Buttons are soft and stand where you expect them.",
            "It works with models from 2008 on.",
        ),
    ),
    kind(
        "Projectors",
        "electronics",
        "Electronics > Television & Video > Projectors > Video Projectors",
        nouns="Video Projector; Mini Projector; Movie Projector; Portable Projector",
        styles="Native 1080P; Smart; LED; Outdoor; Short Throw; WiFi",
        details="with 100 Inch Screen; 9500 Lumens; with Speaker; for Phone and Laptop",
        claims="home theater; high definition; remote control; 1080p hd; wireless bluetooth; usb port; "
        "tf card; easy carry; ultra hd; dual band; certified refurbished",
        options="Color: gadgets",
        price=(59, 320),
        facts=(
            "The lamp lasts for fifty thousand hours.",
            "Keystone correction squares the picture.",
            "The fan is quieter than a whisper.",
        ),
    ),
    kind(
        "Chargers & Power Adapters",
        "electronics",
        "Electronics > Computers & Accessories > Laptop Accessories > Chargers & Adapters",
        nouns="AC Adapter; Power Adapter; Wall Charger; Charger Power Supply",
        styles="Compact; GaN; Universal; Replacement; Foldable; Dual Port",
        details="with 6ft Cable; for Laptop and Tablet; Type C; with LED Indicator",
        claims="output protection; fast charging; power cord; usb port; easy carry; high quality; heavy "
        "duty; cell phone; mobile phone; plug play",
        options="Color: gadgets; Size: watts",
        price=(10, 58),
        facts=(
            "The chip chooses the voltage that your device asks for.",
            "It stays cool under full load.",
            "Tested to international standards.",
        ),
    ),
    kind(
        "Security Cameras",
        "electronics",
        "Electronics > Camera & Photo > Video Surveillance > Surveillance Cameras > Dome Cameras",
        nouns="Security Camera; Home Security Camera; Spy Camera; Baby Camera",
        styles="Indoor; Outdoor; Solar; Wireless; Hidden; Pan Tilt",
        details="with App; with Two Way Audio; with Cloud Storage; 2 Antennas",
        claims="motion detection; night vision; 1080p hd; easy install; high resolution; dual band; sd "
        "card; high definition; wall mounted; water resistant",
        options="Style: packs",
        price=(22, 128),
        facts=(
            "Recordings stay on the card, with no subscription.",
            "The head turns by 355 degrees.",
            "Privacy mode closes the shutter.",
        ),
    ),
    kind(
        "Binoculars & Scopes",
        "electronics",
        "Electronics > Camera & Photo > Binoculars & Scopes > Binoculars",
        nouns="Binoculars; Compact Binoculars; Monocular Telescope; Spotting Scope",
        styles="HD; Folding; Waterproof; Low Light; Professional; Lightweight",
        details="for Adults and Kids; with Phone Adapter; BAK4 Prism; with Tripod",
        claims="bird watching; high power; easy carry; non slip; high definition; carrying case; easy "
        "use; high quality; quick release; light weight",
        options="Color: colors; Size: zooms",
        price=(19, 150),
        facts=(
            "Coated lenses keep the picture bright at dusk.",
            "Eyecups turn down for people with glasses.",
            "A strap and a cloth are included.",
        ),
    ),
)
