"""Claims that follow the noun after `with`: `pumps with a rubber sole`."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import Role, claims

PARTS = claims(
    Role.PART,
    """
natural ingredients: natural ingredients
  plant extracts do the work, and you can read every name on the label
coconut oil: coconut oil
  cold pressed, to nourish from root to tip
argan oil: argan oil
  a few drops of Morocco's gold bring back the shine
tea tree: tea tree
  its oil leaves a fresh and clean feeling
olive oil: olive oil
  from the first cold pressing
seed oil: seed oil
  rich in what hair and skin need
essential oils: essential oils
  a blend that calms the mind
shea butter: shea butter
  deep moisture that lasts through the day
aloe vera: aloe vera
  it cools and soothes at once
green tea: green tea
  full of antioxidants
hyaluronic acid: hyaluronic acid
  it draws moisture in and holds it there
synthetic hair: synthetic hair
  soft fibres that look and move like your own
stainless steel: stainless steel
  no rust, no stains, and easy to keep bright
rose gold: rose gold
  a warm shine that suits every room
storage case: a storage case
  everything has its place and stays clean
long handle: a long handle
  to reach where hands do not
gift set: a gift set
  it comes in a box that needs no wrapping
remote control: a remote control
  change everything from where you sit
usb port: a usb port
  for power wherever you are
charging case: a charging case
  three more charges in your pocket
carrying case: a carrying case
  a padded bag for the road is included
volume control: volume control
  buttons under your fingertip
stereo sound: stereo sound
  deep bass and clear treble fill the room
fm radio: an fm radio
  your station, even where there is no network
tf card: a tf card slot
  play your files without a phone
sd card: an sd card
  a card of 32 GB is included
optical zoom: optical zoom
  come closer without losing a pixel
night vision: night vision
  clear pictures in complete darkness
motion detection: motion detection
  a message on your phone as soon as something moves
touch screen: a touch screen
  bright, quick and easy to read
output protection: output protection
  it switches off before anything can go wrong
power cord: a power cord
  six feet long, with a sturdy plug
aaa batteries: aaa batteries
  two of them are included
tempered glass: tempered glass
  hard enough for keys and coins
screen protector: a screen protector
  a thin glass for the display is included
quick release: quick release
  on and off with one click
aluminum alloy: an aluminum alloy frame
  light, stiff and cool to the touch
rubber sole: a rubber sole
  it bends with your foot and does not slip
rubber outsole: a rubber outsole
  a firm grip on every ground
synthetic sole: a synthetic sole
  light and durable
leather sole: a leather sole
  elegant, and better with every wear
memory foam: memory foam
  it takes your shape and gives it back
arch support: arch support
  for feet that have a long day ahead
ankle strap: an ankle strap
  an adjustable buckle holds it firmly
high heel: a high heel
  four inches that feel like two
faux fur: faux fur
  warm, fluffy and kind to animals
lace closure: a lace closure
  tie them once and they stay tied
button closure: a button closure
  sturdy buttons that do not come off
drawstring closure: a drawstring closure
  as tight or as loose as you like
elastic closure: an elastic closure
  pull it on and go
imported zipper: an imported zipper
  it runs smoothly and never catches
elastic waist: an elastic waist
  it stretches with you
elastic waistband: an elastic waistband
  wide, soft, and without a mark on the skin
drawstring waist: a drawstring waist
  for a fit that is yours
tummy control: tummy control
  a firm panel smooths the waist
needle sleeve: a double needle sleeve
  seams that do not give
cotton heather: cotton heather fabric
  soft from the first day
polyester heathers: polyester heathers
  color that does not fade
polyester spandex: polyester spandex
  it stretches four ways and springs back
nylon spandex: nylon spandex
  smooth, opaque and strong
cotton spandex: cotton spandex
  the feel of cotton with some stretch
polyester cotton: polyester cotton
  soft, and easy to look after
quality polyester: quality polyester
  it keeps its color and dries fast
stretch fabric: stretch fabric
  it moves with you
contrast color: contrast color trim
  a small detail that people notice
unique design: a unique design
  you will not meet another one
solid wood: solid wood
  every board has a grain of its own
engineered wood: engineered wood
  it does not warp
metal frame: a metal frame
  it carries 250 pounds without a sound
steel frame: a steel frame
  powder coated against rust
wood frame: a wood frame
  kiln dried and made to last
metal legs: metal legs
  with levelers for uneven floors
coated steel: coated steel
  no scratches and no rust
storage space: storage space
  a place for all that lies around
adjustable shelves: adjustable shelves
  move them up or down as you need
faux leather: faux leather
  soft to the touch, and spills wipe off
pu leather: pu leather
  it looks like the real thing and is easier to keep
high density: high density foam
  it does not sag
bronze finish: a bronze finish
  rubbed by hand
nickel finish: a nickel finish
  brushed, so that it shows no fingerprints
white finish: a white finish
  it goes with everything
wood finish: a wood finish
  warm and natural
glass shade: a glass shade
  it spreads a soft light
clear glass: clear glass
  the bulb becomes part of the look
led bulb: an led bulb
  warm white, and included
soy wax: soy wax
  it burns slowly, evenly and without soot
box spring: a box spring
  none is needed, though one fits
printing technology: fine printing technology
  colors stay bright for years
exquisite workmanship: exquisite workmanship
  look at the seams
contemporary style: contemporary style
  clean lines that fit any home
contemporary design: contemporary design
  it will look good for many years
quality ingredients: quality ingredients
  nothing that you would not have at home
simple ingredients: simple ingredients
  you can count them on one hand
artificial flavors: no artificial flavors
  all taste comes from the real thing
artificial colors: no artificial colors
  the color is that of the fruit
artificial ingredients: no artificial ingredients
  what you read is what you taste
high fructose: no high fructose corn syrup
  sweetened with cane sugar alone
sea salt: sea salt
  just a pinch, from the coast
peanut butter: peanut butter
  roasted, ground and nothing else
dark chocolate: dark chocolate
  70 % cacao from small farms
milk chocolate: milk chocolate
  it melts on the tongue
white chocolate: white chocolate
  with real vanilla
brown sugar: brown sugar
  for a hint of caramel
cane sugar: cane sugar
  raw, and never bleached
sour cream: sour cream
  with a touch of onion
cheddar cheese: cheddar cheese
  aged for nine months
real cheese: real cheese
  baked until it is crisp
dried fruit: dried fruit
  picked ripe and dried in the sun
resealable bag: a resealable bag
  it stays fresh after you have opened it
dietary fiber: dietary fiber
  seven grams in a serving
protein serving: 15 g of protein per serving
  to keep you full until dinner
source vitamin: a good source of vitamin c
  half of what you need in a day
vitamins minerals: vitamins and minerals
  the good things that a long day takes out of you
""",
)
