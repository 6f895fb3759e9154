"""The words of skills, folded into classes: a principle becomes sentences of tokens that patterns can match.

`Locate the fridge first` becomes `LOCATE the TOOL:fridge FIRST`. Words without a class stay as they are.
What a sentence warns against (`do not …`, `instead of …`) is split off from what it advises.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from types import MappingProxyType

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.agent_text import ALIASES
from skillsandbox.envs.principles import Lexicon, Sentence, plain

CATEGORY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "food": r"foods?|food items?|foodstuffs?|ingredients?|perishables?",
        "kitchenware": r"kitchenware|utensils?|cutlery|dishes|dishware|tableware|cookware|crockery",
        "toiletry": r"toiletr(?:y|ies)|bath(?:room)? (?:items|supplies)|hygiene (?:items|products)",
        "electronics": r"electronics|gadgets?|electronic (?:items|devices)",
        "stationery": r"stationery|books?|reading material|writing (?:tools|utensils)",
        "valuables": r"valuables?|personal items?",
        "bedding": r"bedding|pillows?|soft toys?",
        "decoration": r"decorations?|decorative (?:objects|items)|ornaments?",
        "sports": r"sports? (?:equipment|gear|items)",
    }
)
"""Words that speak of a category of objects."""

_TOOL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "microwave": r"microwaves?(?: ovens?)?",
        "fridge": r"fridges?|refrigerators?|freezers?",
        "sinkbasin": r"(?:kitchen |bathroom )?sinks?(?: ?basins?)?|(?:sink ?)?basins?|faucets?|taps?",
    }
)

_TOOL = (
    r"(?:(?:stationary|fixed|state changing|heavy|suitable|appropriate|required|relevant|nearest) )*"
    r"(?:appliances?|tools?|devices?|equipment)"
    r"|(?:stationary|fixed) (?:objects?|items?|fixtures?|stations?)"
)
_DESTINATION = (
    r"(?:(?:final|target|goal|specified|destination|intended|placement|delivery|named) )+"
    r"(?:locations?|receptacles?|places?|containers?|surfaces?|spots?|furniture)"
    r"|(?:final |target |goal |specified )*destinations?"
)
_OBJECT = (
    r"(?:(?:target|goal|required|desired|requested|needed|correct|movable|moveable|wanted|portable) )*"
    r"(?:objects?|items?)|targets?"
)
_CLOSED = (
    r"(?:(?:closed|unopened|enclosed|shut|openable|closable) )+"
    r"(?:containers?|receptacles?|storage|compartments?|furniture|cabinets|drawers|places?)"
)


_SPACED = re.compile(r"(coffee|dining|side|counter|tv|arm|garbage|hand)(?=[a-z])")
_OTHER_MEANINGS = frozenset({"counter", "garbage", "safe"})
"""Names of receptacles that more often are other words."""

_PLACE = "|".join(
    _SPACED.sub(r"\1 ?", name)
    for name in sorted(
        ({name.lower() for name in domain.RECEPTACLE_TYPES} | set(ALIASES)) - _OTHER_MEANINGS,
        key=lambda name: (-len(name), name),
    )
)

_ROWS: tuple[tuple[str, str], ...] = (
    *((f"CATEGORY:{name}", words) for name, words in CATEGORY_WORDS.items()),
    *((f"TOOL:{name}", words) for name, words in _TOOL_WORDS.items()),
    ("NOT", r"do not|don ?t|does not|never|avoid(?:s|ing)?|instead of|rather than|without|not"),
    ("PREVENT", r"prevent(?:s|ing)?|to avoid|so as not to"),
    ("NOW", r"immediately|at once|right away|straight(?: ?away)?|directly|promptly|instantly"),
    ("FIRST", r"first(?:ly)?|at the (?:outset|start|beginning)|initially"),
    ("FIRST", r"before anything else|up front|early"),
    ("INVENTORY", r"inventory|what (?:you|it) (?:are |is )?(?:holding|carrying)"),
    ("RESUME", r"resum(?:e|es|ing)|continu(?:e|es|ing)"),
    ("REVISIT", r"re ?(?:visit|check|inspect|examine|search)(?:s|es|ed|ing)?|backtrack\w*|redundant\w*"),
    ("REVISIT", r"(?:visit|check|search|inspect)(?:ing)? (?:\w+ ){0,3}(?:again|twice)"),
    ("NEAR", r"near(?:by)?|close to|adjacent(?: to)?|next to|beside|around|in the vicinity of"),
    ("REFERENCE", r"reference(?: objects?)?|b"),
    ("DESTINATION", _DESTINATION),
    ("LAMP", r"(?:desk|floor|table) ?lamps?|lamps?|light sources?|lights?"),
    ("TOOL", _TOOL),
    ("CLOSED", _CLOSED),
    ("SURFACE", r"(?:(?:open|flat|exposed|visible) )?(?:surfaces?|furniture)"),
    ("PLACE:", rf"(?:{_PLACE})(?:e?s)?|safes|(?<=the )safe"),
    ("CONTAINER", r"containers?|receptacles?"),
    ("OBJECT", _OBJECT),
    ("VERIFY", r"verif(?:y|ies|ying)|confirm(?:s|ing)?|validat(?:e|es|ing)"),
    ("VERIFY", r"double check(?:s|ing)?|mak(?:e|ing) sure"),
    ("TRANSFORM", r"(?:chang(?:e|es|ing) )(?:its|the|their) (?:states?|temperature)|state chang\w+"),
    ("TRANSFORM", r"transform\w*|(?:heat|cool|clean|warm|chill|wash)(?:s|es|ed|ing)?|rins(?:e|es|ed|ing)"),
    ("ACTIVATE", r"(?:turn|switch|power|toggl)(?:e|s|es|ed|ing)? (?:it |them )?on|activat\w+|preheat\w*"),
    ("ACTIVATE", r"prep(?:are|ares|ared|aring)?|toggl\w+|us(?:e|es|ing)|operat(?:e|es|ing)|set(?:ting)? up"),
    ("TAKE", r"pick(?:s|ed|ing)?(?: (?:it|them))?(?: up)?|tak(?:e|es|en|ing)"),
    ("TAKE", r"grab(?:s|bed|bing)?|get(?:s|ting)?"),
    ("TAKE", r"acqui(?:r(?:e|es|ed|ing)|sition)|fetch(?:es|ed|ing)?"),
    ("TAKE", r"collect(?:s|ed|ing)?|obtain(?:s|ed|ing)?"),
    ("TAKE", r"retriev(?:e|es|ed|ing|al)|secur(?:e|es|ed|ing)|gather(?:s|ed|ing)?"),
    ("HOLD", r"hold(?:s|ing)?|held|carry(?:ing)?|in (?:your |the )?hands?|in possession"),
    ("PUT", r"plac(?:e|ed|ing|ements?)|put(?:s|ting)?|deposit(?:s|ing)?"),
    ("PUT", r"deliver(?:y|s|ed|ing)?|set(?:ting)? down"),
    ("OPEN", r"open(?:s|ed|ing)?"),
    ("CLOSE", r"clos(?:e|es|ing)|shut(?:s|ting)?"),
    ("GO", r"go(?:es|ing)?|mov(?:e|es|ing)|head(?:s|ing)?"),
    ("GO", r"navigat(?:e|es|ing)|walk(?:s|ing)?|travel(?:s|ing)?"),
    ("GO", r"visit(?:s|ed|ing)?|approach(?:es|ing)?|proceed(?:s|ing)?|return(?:s|ing)?|reach(?:es|ed|ing)?"),
    ("BEGIN", r"begin(?:s|ning)?|start(?:s|ing)?|prioriti[sz](?:e|es|ing)"),
    ("BEGIN", r"prefer(?:s|ring)?|favou?r(?:s|ing)?"),
    ("LOCATE", r"locat(?:e|es|ed|ing)|find(?:s|ing)?|identif(?:y|ies|ying)|seek(?:s|ing)?"),
    ("SEEN", r"visible|see(?:s|n|ing)?|spott(?:ed|ing)|notic(?:e|es|ed|ing)"),
    ("SEEN", r"discovered|found|observed?|encountered"),
    ("SEARCH", r"search(?:es|ed|ing)?|look(?:s|ing)?(?: in(?:to|side)?| at)?"),
    ("SEARCH", r"check(?:s|ed|ing)?|scan(?:s|ned|ning)?"),
    ("SEARCH", r"inspect(?:s|ed|ing|ion)?|explor(?:e|es|ed|ing|ation)"),
    ("SEARCH", r"examin(?:e|es|ed|ing)|survey(?:s|ed|ing)?"),
    ("UNSEEN", r"un(?:visited|seen|explored|searched|checked|opened|inspected)"),
    ("LIST", r"checklists?|maps?|lists?|logs?|memory|records"),
    ("NOTE", r"record(?:s|ing)?|maintain(?:s|ing)?|keep(?:s|ing)? track|track(?:s|ing)?|remember(?:s|ing)?"),
    ("NOTE", r"not(?:e|es|ing)|mark(?:s|ing)?|updat(?:e|es|ing)|keep(?:s|ing)?"),
    ("LOCATION", r"locations?|places|areas?|rooms?|spots?|candidates?"),
    ("PRIOR", r"likel(?:y|iest|ihood)|probab\w+|common(?:ly)?|typical(?:ly)?|priors?|usual(?:ly)?"),
    ("COUNT", r"count(?:s|er|ers|ing)?|numerical|number|how many|two|both"),
    ("END", r"stop(?:s|ping)?|terminat(?:e|es|ing)|done|finish(?:es|ing)?|end(?:s|ing)?"),
    ("ONLY", r"only|exclusively"),
    ("BEFORE", r"before|prior to|ahead of|in advance of"),
    ("UNTIL", r"until|unless|till"),
    ("AFTER", r"after|upon|once|whenever|when|as soon as|following|while|if"),
    ("THEN", r"then|afterwards?|subsequently|next"),
    ("ALL", r"all|every|each|entire|whole|everything|everywhere"),
)
"""Classes of words; of two phrases that begin at the same word, the earlier row wins."""

_LEXICON = Lexicon(_ROWS)


@functools.lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return a text as sentences of tokens, in order."""
    text = re.sub(r"\b(?:exactly|at least|only) once\b", "one time", plain(text))
    switched = r"\b(switch|turn)(?:ing|ed|es|s)? ((?:(?!on\b)[a-z]+ ){1,4})on\b"
    return _LEXICON.sentences(re.sub(switched, r"\1 on \2", text))
