"""A program and skills that tests of the command share."""

from __future__ import annotations

PROGRAM = """
# Bread stands in sight.
scenario cold_bread for alfworld {
  condition "The task needs a fridge and some bread." arises in rollout
  let ?food: Object where ?food.type == Bread
  let ?start: Receptacle where ?start.type == CounterTop
  let ?tool: Receptacle where ?tool.type == Fridge
  let ?end: Receptacle where ?end.type == DiningTable
  goal put cool ?food.type in ?end.type
  say "put a cool {?food.type} in {?end.type}"
  build {
    place ?food on ?start
    agent at ?start
  }
  encounter {
    fridge_reached: eventually agent at ?tool
    fridge_opened: eventually ?tool.open
  }
  novel in scene
}
"""
SKILLS = [
    {
        "id": "ready",
        "condition": "The task needs a fridge and some bread.",
        "principle": "Open the fridge first.",
    },
    {"id": "shop", "condition": "Before clicking the purchase button.", "principle": "Compare the prices."},
]
