"""Claims that stand before the noun: `an easy to clean bag`."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import Role, claims

QUALITIES = claims(
    Role.QUALITY,
    """
easy clean: easy to clean
  wipe it with a damp cloth and it looks like new
  spills and dust come off with warm water and a little soap
easy use: easy to use
  everything is ready in a few seconds and needs no practice
  a short guide comes with it, though you will hardly need one
easy carry: easy to carry
  it takes up little room in a handbag or suitcase
  light enough to have with you on every trip
easy install: easy to install
  all screws and a clear manual are in the box
  it is in place within minutes and needs no special tools
easy assemble: easy to assemble
  numbered parts and the tools you need come in the box
  one person can put it together in less than half an hour
easy apply: easy to apply
  it glides on evenly and does not smudge
  the slim applicator reaches every corner
easy care: easy care
  it comes out of the dryer smooth and hardly needs an iron
easy prepare: easy to prepare
  on the table in a few minutes, with nothing to measure
  just add hot water, stir and serve
long lasting: long lasting
  made to keep up with a full day and then some
  it holds far longer than you would expect at this price
high quality: high quality
  every piece is checked by hand before it leaves our workshop
  carefully chosen materials that stand years of daily use
heavy duty: heavy duty
  reinforced where it matters, for years of hard use
  tested far beyond what a normal day asks of it
eco friendly: eco friendly
  made with respect for nature and packed without plastic
cruelty free: cruelty free
  we never test on animals, and neither do our suppliers
  certified, from the first ingredient to the finished product
paraben free: paraben free
  the formula leaves out what you would rather not have on you
  gentle care without harsh preservatives
sulfate free: sulfate free
  it cleans gently and does not strip away moisture
  a mild formula that keeps color where it belongs
oil free: oil free
  light on the skin, with no greasy shine
fragrance free: fragrance free
  no added perfume, for those who do without
alcohol free: alcohol free
  it does not sting and does not dry out
bpa free: bpa free
  safe materials for everything that touches you or your food
non toxic: non toxic
  safe for you, the family and the pets
leak proof: leak proof
  tight lids keep every drop where it should be
  turn it upside down in your bag and nothing runs out
water resistant: water resistant
  a shower of rain or a splash does it no harm
travel size: travel size
  small enough for the cabin bag and long enough for the trip
double sided: double sided
  two sides, two looks, and twice the use
non slip: non slip
  it stays where you put it, even when wet
  a textured surface gives a firm grip
anti slip: anti slip
  dots on the underside keep it in place
dermatologist tested: dermatologist tested
  gentle enough for every day
clinically proven: clinically proven
  nine of ten users saw a difference within four weeks
certified organic: certified organic
  grown without pesticides on farms that we know by name
highly pigmented: highly pigmented
  rich color with a single stroke
anti aging: anti aging
  skin looks smoother and firmer from week to week
high speed: high speed
  large files and long films go across without a wait
  up to 18 Gbps, so that nothing stutters
high definition: high definition
  every detail is as sharp as on the day it was filmed
high resolution: high resolution
  fine lines stay fine, even when you zoom in
high performance: high performance
  it does its work without fuss, hour after hour
high power: high power
  strong enough for large rooms and long distances
ultra hd: ultra hd
  four times the pixels of an ordinary picture
1080p hd: 1080p hd
  a clear and detailed picture by day and by night
gold plated: gold plated
  the connectors do not corrode and keep the signal clean
noise cancelling: noise cancelling
  traffic and chatter fade away and your music stays
hands free: hands free
  take calls while you cook, drive or run
plug play: plug and play
  no driver, no app and no account, it simply works
fast charging: fast charging
  half an hour is enough for most of a day
wireless bluetooth: wireless bluetooth
  it pairs by itself and holds the connection across the room
  a stable link of up to 33 feet
wireless charging: wireless charging
  leave it on and lay your phone on the pad
dual band: dual band
  it finds the free frequency, so that nothing drops out
certified refurbished: certified refurbished
  inspected, cleaned and tested, with a full warranty
machine wash: machine wash
  cold, with like colors, and tumble dry on low
  it keeps its shape and color after many washes
machine washable: machine washable
  zip the cover off and put it in with the laundry
  a gentle cycle is all the care it needs
hand wash: hand wash
  in cold water, and hang it up to dry
wash cold: wash cold
  and dry flat to keep the fit
dry clean: dry clean
  to keep the fine cloth in shape
long sleeve: long sleeve
  warm enough for cool evenings, light enough under a jacket
short sleeve: short sleeve
  cut for warm days and easy movement
slim fit: slim fit
  it follows the body without pinching
classic fit: classic fit
  room to move, and a cut that never goes out of style
relaxed fit: relaxed fit
  easy through hip and thigh
regular fit: regular fit
  neither tight nor wide, as you know it
loose fit: loose fit
  airy and comfortable all day
comfortable fit: comfortable fit
  you will forget that you are wearing it
straight leg: straight leg
  the same width from the knee down
wide leg: wide leg
  flowing and easy to move in
low rise: low rise
  it sits below the waist and stays there
high waist: high waist
  it stays up when you bend and gives a smooth line
open toe: open toe
  made for warm days and painted nails
closed toe: closed toe
  for days when sandals are not enough
slip resistant: slip resistant
  a deep tread holds on wet floors
moisture wicking: moisture wicking
  sweat moves to the outside and dries there
quick drying: quick drying
  dry again before you have packed your things
fleece lined: fleece lined
  soft and warm on the inside
butt lifting: butt lifting
  shaped seams flatter the curves
officially licensed: officially licensed
  the real thing, made under license
winter warm: winter warm
  it keeps the cold outside
light weight: light weight
  you hardly notice that it is there
wall mounted: wall mounted
  it leaves the floor free
height adjustable: height adjustable
  from low to high with one hand
space saving: space saving
  it fits where others do not
assembly required: assembly required
  two people will need about an hour
ready hang: ready to hang
  hooks are already on the back
super soft: super soft
  you will not want to put it down
button tufted: button tufted
  a classic look that never sags
lead free: lead free
  the wick burns clean and without smoke
queen size: queen size
  made for mattresses of 60 by 80 inches
twin size: twin size
  just right for a child's or a guest room
king size: king size
  made for mattresses of 76 by 80 inches
gluten free: gluten free
  made in a place where no wheat is handled
  tested, so that everybody at the table can have some
non gmo: non gmo
  every ingredient is verified from the seed on
sugar free: sugar free
  all of the taste without the spike
low sugar: low sugar
  only as much sweetness as it needs
zero sugar: zero sugar
  sweetened with stevia alone
low carb: low carb
  it fits your plan and still tastes like a treat
low calorie: low calorie
  a snack that you need not think about
fat free: fat free
  light, and still full of flavor
high protein: high protein
  20 grams in every serving keep you going
keto friendly: keto friendly
  two grams of net carbs in a serving
dairy free: dairy free
  smooth and creamy without any milk
nut free: nut free
  safe to bring to school
soy free: soy free
  no soy in it, and none near it
grain free: grain free
  made from seeds and roots
plant based: plant based
  nothing in it comes from an animal
usda organic: usda organic
  grown the way your grandparents would have grown it
kosher certified: kosher certified
  under constant supervision
ready eat: ready to eat
  open the pack and enjoy
fully cooked: fully cooked
  warm it up, or take it cold on the road
freeze dried: freeze dried
  all of the fruit, none of the water
hand crafted: hand crafted
  in small batches by people who love what they do
individually wrapped: individually wrapped
  fresh to the last one, and easy to share
shelf stable: shelf stable
  it keeps for months in the pantry
old fashioned: old fashioned
  the recipe has not changed in four generations
rich creamy: rich and creamy
  a cup that feels like a holiday
""",
)
