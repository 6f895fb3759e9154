"""Claims that follow the noun after `for`: `a shampoo for damaged hair`."""

from __future__ import annotations

from skillsandbox.envs.webshop.vocabulary.model import Role, claims

PURPOSES = claims(
    Role.PURPOSE,
    """
dry skin: dry skin
  tightness is gone after the first use
sensitive skin: sensitive skin
  mild enough for those who react to nearly everything
dead skin: dead skin
  it lifts off what you no longer need
fine lines: fine lines
  they are less visible within a month
dark circles: dark circles
  you look as if you had slept well
damaged hair: damaged hair
  it repairs what heat and color have done
dry hair: dry hair
  it brings back softness and shine
natural hair: natural hair
  curls stay defined and free of frizz
hair growth: hair growth
  it wakes up tired roots
hair loss: hair loss
  fewer hairs in the brush from week to week
hair styling: hair styling
  hold without stiffness
hair extensions: hair extensions
  they blend in with your own hair
hair cutting: hair cutting
  a clean line with every stroke
eye shadow: eye shadow
  soft edges, and no fallout
oral hygiene: oral hygiene
  a clean mouth in two minutes
fresh breath: fresh breath
  it lasts until lunch and beyond
bad breath: bad breath
  it works where it begins
sensitive teeth: sensitive teeth
  ice cream without a second thought
teeth whitening: teeth whitening
  up to four shades in two weeks
beauty salon: a beauty salon
  professionals work with it every day
home theater: a home theater
  the film night moves to your sofa
blu ray: blu ray players
  and everything else that has the same plug
cell phone: a cell phone
  it fits nearly every model
mobile phone: a mobile phone
  old and new ones alike
samsung galaxy: a samsung galaxy
  cut so that every button is within reach
iphone pro: an iphone pro
  cut so that the camera stays clear
bird watching: bird watching
  see each feather from far away
digital photography: digital photography
  for beginners and for those who have done it for years
nintendo switch: a nintendo switch
  for the console, docked or in your hands
dvd player: a dvd player
  it replaces the lost one without any set-up
smart tv: a smart tv
  for all common models
daily wear: daily wear
  for the office, the city and the sofa
everyday wear: everyday wear
  you will reach for it again and again
gym workout: a gym workout
  it goes along with every squat
day comfort: all day comfort
  from the first coffee to the last train
teen girls: teen girls
  the one that they really want
work shoes: work shoes
  for those who stand all day
living room: the living room
  it makes the room feel finished
dining room: the dining room
  it invites people to stay a little longer
home office: a home office
  for long days at the desk
home decor: home decor
  the small thing that pulls a room together
office desk: an office desk
  it leaves your desk tidy
birthday party: a birthday party
  for the young and the not so young
baby shower: a baby shower
  in colors that suit a boy or a girl
party supplies: party supplies
  all that the table needs
valentine day: valentine's day
  for those who mean it
perfect gift: the perfect gift
  for friends, teachers and hosts
great gift: a great gift
  nobody has too much of it
healthy snack: a healthy snack
  for the desk, the car and the trail
baked goods: baked goods
  it rises evenly every time
""",
)
