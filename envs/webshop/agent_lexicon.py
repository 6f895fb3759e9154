"""The words of shopping skills, folded into classes: a principle becomes sentences of tokens.

`Read the bullet points` becomes `READ the FEATURES`. Words without a class stay as they are.
"""

from __future__ import annotations

import functools

from skillsandbox.envs.principles import Lexicon, Sentence, plain

_NEEDED = r"(?:(?:required|requested|mandatory|necessary|wanted|desired|right|exact) )*"

_LEXICON = Lexicon(
    (
        ("NOT", r"do not|don ?t|does not|never|avoid(?:s|ing)?|instead of|rather than|without|not"),
        ("PREVENT", r"to prevent|preventing|so as not to"),
        ("NEXT_PAGE", r"(?:next|further|more|other|second|all|several) (?:results? )?(?:pages?|results)"),
        ("NEXT_PAGE", r"(?:pages? of|page through) (?:the )?results"),
        ("CATEGORY", r"(?:product|garment|item|accessory) (?:types?|kinds?|categor(?:y|ies))"),
        ("CATEGORY", r"categor(?:y|ies)|breadcrumbs?|sort of product|kind of product"),
        ("BUY", r"buy(?:s|ing)? now|buy(?:s|ing)?|purchas(?:e|es|ing)|check ?out|commit(?:s|ting)?"),
        ("NOW", r"immediately|at once|right away|straight(?: ?away)?|directly|promptly"),
        ("REOPEN", r"re ?open(?:s|ed|ing)?|re ?visit(?:s|ed|ing)?|re ?click(?:s|ed|ing)?"),
        ("LEAVE", r"(?:go|goes|going|return(?:s|ing)?|back) (?:back )?to (?:the )?(?:results?|search)"),
        ("LEAVE", r"leav(?:e|es|ing)|abandon(?:s|ing)?|reject(?:s|ing)?|abort(?:s|ing)?|bail(?:s|ing)?"),
        ("LEAVE", r"go(?:es|ing)? back|move on|skip(?:s|ping)?|return(?:s|ing)?"),
        (
            "QUERY",
            r"(?:initial |first |refined )*(?:search )?quer(?:y|ies)|search (?:terms|words|string|box)",
        ),
        ("RESULT", r"(?:search )?results?(?: lists?)?|results? pages?|listings?|hits|candidates?|items?"),
        ("SHORT", r"concise|short(?:er)?|brief|broad(?:er)?|general|fewer (?:key)?words|few (?:key)?words"),
        (
            "INCLUDE",
            r"includ(?:e|es|ed|ing)|combin(?:e|es|ing)|bundl(?:e|es|ing)|put(?:s|ting)?|pack(?:s|ing)?",
        ),
        ("CHEAPEST", r"cheapest|lowest(?: price[ds]?)?|least expensive|sort(?:ed)? by price"),
        ("BOTH", r"both|each of|as well as in|and again in"),
        ("REVIEWS", r"reviews?"),
        ("DESCRIPTION", r"(?:product )?descriptions?"),
        ("FEATURES", r"features?|bullets?(?: points?| lists?)?|specifications?|specs?|details?"),
        ("TITLE", r"titles?|headlines?|names?"),
        ("PRICE", r"price(?:s| caps?| elements?| limits?)?|budgets?|costs?"),
        ("VARIANT", rf"{_NEEDED}(?:variants?|options?|sizes?|colou?rs?|swatch(?:es)?|dropdowns?|flavou?rs?)"),
        ("WISH", r"constraints?|requirements?|filters?|criteria|wishes|demands?|needs"),
        ("ATTRIBUTE", r"attributes?|claims?|functions?|properties|qualit(?:y|ies)"),
        ("MISSING", r"unavailable|missing|lack(?:s|ing)?|gone|absent|sold out"),
        ("NEAREST", r"(?:nearest|closest|best) (?:match(?:es)?|candidates?|fits?)"),
        ("SEVERAL", r"several|two|three|four|at least (?:two|three|four)|a few"),
        ("COMPARE", r"compar(?:e|es|ing)"),
        ("CHOOSE", r"select(?:s|ed|ing|ions?)?|choos(?:e|es|ing)|click(?:s|ed|ing)?|pick(?:s|ed|ing)?"),
        ("READ", r"read(?:s|ing)?|open(?:s|ed|ing)?|expand(?:s|ing)?|scroll(?:s|ing)?(?: down)? to"),
        ("READ", r"pars(?:e|es|ing)|view(?:s|ed|ing)?|look(?:s|ing)? (?:at|in|into)|inspect(?:s|ed|ing)?"),
        ("CONFIRM", r"confirm(?:s|ed|ing)?|verif(?:y|ies|ied|ying)|validat(?:e|es|ed|ing)|ensur(?:e|es|ing)"),
        ("CONFIRM", r"(?:cross |double )?check(?:s|ed|ing)?|mak(?:e|es|ing) sure|gate(?:s|keeping)?"),
        ("EXCEEDS", r"exceed(?:s|ed|ing)?|above|over budget|too (?:dear|expensive)|higher than"),
        ("ALWAYS", r"always|on every product page|of every product|on each product page|for each product"),
        ("ALL", r"all|every|each|everything|entire|whole|full|any"),
        ("ONLY", r"only|exclusively"),
        ("BEFORE", r"before|prior to|ahead of"),
        ("AFTER", r"after|once|when(?:ever)?|as soon as|if|where"),
        ("FIRST", r"first|earliest|start(?:s|ing)? with"),
    )
)


@functools.lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return a text as sentences of tokens, in order."""
    return _LEXICON.sentences(plain(text))
