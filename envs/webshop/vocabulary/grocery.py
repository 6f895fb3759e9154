"""The kinds of products of the department grocery."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import kind

_FOOD = "Grocery & Gourmet Food"

GROCERY = (
    kind(
        "Protein Bars",
        "grocery",
        f"{_FOOD} > Snack Foods > Bars > Protein",
        nouns="Protein Bars; Protein Snack Bars; Granola Bars; Nutrition Bars",
        styles="Crunchy; Chewy; Whey; Vegan; Soft Baked; Layered",
        details="20g Protein; Meal Replacement; Variety Box; for Hiking and Gym",
        claims="high protein; gluten free; low sugar; keto friendly; protein serving; peanut butter; low "
        "carb; non gmo; dark chocolate; soy free; plant based; dietary fiber",
        options="Flavor Name: sweets; Size: counts",
        price=(9, 58),
        facts=(
            "They do not melt in a warm car.",
            "Each bar has fewer than 200 calories.",
            "Keep them in a cool and dry place.",
        ),
    ),
    kind(
        "Tea Beverages",
        "grocery",
        f"{_FOOD} > Beverages > Coffee, Tea & Cocoa > Tea > Tea Samplers",
        nouns="Tea Bags; Black Tea; Loose Leaf Tea; Green Tea Bags",
        styles="Breakfast; Herbal; Ceremonial; Spiced; Smooth; Decaf",
        details="100 Count; in a Tin; with Infuser; Makes 50 Cups",
        claims="usda organic; non gmo; individually wrapped; natural ingredients; sugar free; hand "
        "crafted; gift set; artificial flavors; certified organic; great gift",
        options="Flavor Name: teas; Size: bags",
        price=(6, 38),
        facts=(
            "Steep for three to five minutes.",
            "The leaves are picked in spring.",
            "The sachets are plastic free.",
        ),
    ),
    kind(
        "Chips & Crisps",
        "grocery",
        f"{_FOOD} > Snack Foods > Chips & Crisps > Potato",
        nouns="Potato Chips; Veggie Chips; Tortilla Chips; Lentil Crisps",
        styles="Kettle Cooked; Baked; Ridged; Thin; Stone Ground; Air Popped",
        details="Snack Pack; Family Size; for Lunch Boxes; Party Mix",
        claims="gluten free; non gmo; sea salt; sour cream; low calorie; fat free; artificial flavors; "
        "kosher certified; nut free; grain free; healthy snack",
        options="Flavor Name: savory; Size: bags",
        price=(4, 36),
        facts=(
            "Cooked in small kettles for more crunch.",
            "Potatoes come from one valley.",
            "Best with a dip and company.",
        ),
    ),
    kind(
        "Candy & Chocolate",
        "grocery",
        f"{_FOOD} > Candy & Chocolate > Chocolate > Assortments & Samplers",
        nouns="Chocolate Truffles; Chocolate Bars; Chocolate Assortment; Chocolate Covered Almonds",
        styles="Belgian; Gourmet; Single Origin; Filled; Artisan; Bite Size",
        details="Gift Box; Bulk Bag; Holiday Edition; 24 Pieces",
        claims="dark chocolate; milk chocolate; white chocolate; individually wrapped; gift set; "
        "valentine day; perfect gift; sugar free; hand crafted; dairy free; kosher certified; "
        "gluten free",
        options="Flavor Name: sweets; Size: pounds",
        price=(8, 62),
        facts=(
            "Shipped with ice in summer.",
            "Made fresh every week.",
            "May contain traces of nuts.",
        ),
    ),
    kind(
        "Nuts & Trail Mix",
        "grocery",
        f"{_FOOD} > Snack Foods > Nuts & Seeds > Trail Mix",
        nouns="Trail Mix; Mixed Nuts; Roasted Almonds; Dried Mango",
        styles="Deluxe; Raw; Roasted; Tropical; Sweet and Salty; Omega",
        details="Snack Packs; Bulk; No Shell; for Hiking",
        claims="dried fruit; resealable bag; healthy snack; non gmo; gluten free; plant based; sea salt; "
        "dark chocolate; low carb; vitamins minerals; usda organic; freeze dried",
        options="Flavor Name: savory; Size: pounds",
        price=(7, 54),
        facts=(
            "Roasted daily in small batches.",
            "A handful makes a serving.",
            "No oil is added.",
        ),
    ),
    kind(
        "Herbs, Spices & Seasonings",
        "grocery",
        f"{_FOOD} > Herbs, Spices & Seasonings > Mixed Spices & Seasonings",
        nouns="Seasoning Blend; Spice Rub; Herbs Spices Set; Seasoning Mix",
        styles="All Purpose; Smoky; Bold; Salt Free; Garden; Southern",
        details="with Shaker Top; for Chicken and Fish; Refill Bag; for Popcorn",
        claims="gluten free; non gmo; artificial flavors; sugar free; easy use; kosher certified; sea "
        "salt; natural ingredients; gift set; brown sugar; fat free",
        options="Flavor Name: spices; Size: bags",
        price=(4, 32),
        facts=(
            "Ground on the day of packing.",
            "One teaspoon seasons a pound.",
            "The jar closes tightly.",
        ),
    ),
    kind(
        "Meat Snacks",
        "grocery",
        f"{_FOOD} > Snack Foods > Meat Snacks > Jerky",
        nouns="Beef Jerky; Turkey Jerky; Meat Sticks; Jerky Bites",
        styles="Tender; Thick Cut; Hickory; Old Style; Grass Fed; Spicy",
        details="Snack Bag; Variety Pack; for Road Trips; 10 Sticks",
        claims="high protein; gluten free; ready eat; brown sugar; low carb; keto friendly; artificial "
        "flavors; resealable bag; shelf stable; soy free; individually wrapped",
        options="Flavor Name: savory; Size: bags",
        price=(7, 58),
        facts=(
            "Smoked over real wood for eight hours.",
            "No nitrites are added.",
            "Soft enough for everybody's teeth.",
        ),
    ),
    kind(
        "Powdered Drink Mixes",
        "grocery",
        f"{_FOOD} > Beverages > Bottled Beverages, Water & Drink Mixes > Powdered Drink Mixes & Flavorings",
        nouns="Drink Mix; Lemonade Mix; Electrolyte Drink Mix; Smoothie Mix",
        styles="Hydrating; Sparkling; Instant; Energy; Kids; Tropical",
        details="Stick Packs; Makes 8 Quarts; with Scoop; On the Go",
        claims="sugar free; zero sugar; low calorie; artificial colors; source vitamin; vitamins "
        "minerals; easy use; non gmo; gluten free; keto friendly; natural ingredients",
        options="Flavor Name: fruits; Size: counts",
        price=(5, 40),
        facts=(
            "Shake with cold water and drink.",
            "It leaves no grains behind.",
            "One stick is for 16 ounces.",
        ),
    ),
    kind(
        "Cake Decorations & Toppers",
        "grocery",
        f"{_FOOD} > Cooking & Baking > Frosting, Icing & Decorations > Dessert Decorations",
        nouns="Cupcake Toppers; Cake Toppers; Cupcake Picks; Cake Decorations",
        styles="Glitter; Dinosaur; Unicorn; Princess; Space; Floral",
        details="for Kids; Double Sided Print; with Wooden Sticks; Number Set",
        claims="birthday party; baby shower; party supplies; easy use; high quality; valentine day; eco "
        "friendly; non toxic; double sided; hand crafted",
        options="Color: colors; Size: pieces",
        price=(4, 22),
        facts=(
            "They come ready to use.",
            "The sticks are three inches long.",
            "Not edible, so remove them before serving.",
        ),
    ),
    kind(
        "Side Dishes",
        "grocery",
        f"{_FOOD} > Packaged Meals & Side Dishes > Side Dishes",
        nouns="Brown Rice; Mac Cheese Cups; Mashed Potatoes Mix; Pasta Side Dish",
        styles="Microwave; Instant; Whole Grain; Creamy; Seasoned; Family",
        details="90 Seconds; Single Serve; with Vegetables; Ready in 5 Minutes",
        claims="easy prepare; ready eat; fully cooked; shelf stable; dietary fiber; gluten free; real "
        "cheese; cheddar cheese; artificial ingredients; simple ingredients; low calorie",
        options="Flavor Name: savory; Size: counts",
        price=(5, 42),
        facts=(
            "Tear the corner and heat it.",
            "A full side for two people.",
            "Keep some in the office drawer.",
        ),
    ),
    kind(
        "Hot Cocoa",
        "grocery",
        f"{_FOOD} > Beverages > Coffee, Tea & Cocoa > Hot Cocoa",
        nouns="Hot Chocolate; Hot Chocolate Mix; Hot Cocoa Pods; Drinking Chocolate",
        styles="Double; Winter; European; Marshmallow; Dark; Classic",
        details="with Marshmallows; 30 Packets; in a Tin; for Pod Brewers",
        claims="rich creamy; dairy free; gluten free; artificial flavors; low sugar; easy prepare; dark "
        "chocolate; perfect gift; milk chocolate; kosher certified",
        options="Flavor Name: sweets; Size: counts",
        price=(6, 36),
        facts=(
            "Two spoons make a cup.",
            "It dissolves in cold milk too.",
            "Real cocoa and nothing bitter.",
        ),
    ),
    kind(
        "Cookies",
        "grocery",
        f"{_FOOD} > Snack Foods > Cookies > Chocolate Chip",
        nouns="Cookies; Shortbread Cookies; Cookie Thins; Sandwich Cookies",
        styles="Crispy; Chewy; Homestyle; Mini; Butter; Oatmeal",
        details="Gift Tin; Snack Packs; Party Tray; Bulk Box",
        claims="quality ingredients; artificial ingredients; high fructose; nut free; old fashioned; "
        "individually wrapped; kosher certified; gluten free; cane sugar; baked goods; gift set; "
        "birthday party",
        options="Flavor Name: sweets; Size: counts",
        price=(5, 44),
        facts=(
            "Baked in Vermont in a family bakery.",
            "Good with milk, tea or alone.",
            "The tin keeps them fresh.",
        ),
    ),
)
