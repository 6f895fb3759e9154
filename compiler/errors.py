"""Every kind of complaint about a program, one class each; `skillsandbox explain CODE` prints the docstring.

Codes: SCN0.. the text and its syntax, SCN1.. names, SCN2.. types and the rules of the language, SCN3..
binding, SCN4.. building and verifying the scenario, SCN5.. conditions that are not supported.
"""

from __future__ import annotations

import inspect

import attrs

from skillsandbox.compiler.diagnostics import Diagnostic, Edit, Fix, Note, Severity, Span
from skillsandbox.compiler.printer import escape


def _listing(words: tuple[str, ...], last: str = "or") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _did_you_mean(suggestion: str | None) -> str | None:
    return f"did you mean `{suggestion}`?" if suggestion else None


def _replacement(span: Span, suggestion: str | None) -> Fix | None:
    return Fix(f"replace by `{suggestion}`", (Edit(span, suggestion),)) if suggestion else None


@attrs.frozen
class NotText(Diagnostic):
    """The file is not a text in UTF-8.

    Scenario programs are plain texts in UTF-8. A binary file, or a text in another encoding, is refused as
    a whole. Save the file as UTF-8; control characters other than tab and line break are not allowed
    either.
    """

    code = "SCN001"
    reason: str

    @property
    def message(self) -> str:
        return f"this is not a scenario program: {self.reason}"

    @property
    def expected(self) -> str:
        return "a text in UTF-8"

    @property
    def help(self) -> str:
        return "save the program as plain text in UTF-8"


@attrs.frozen
class TooLarge(Diagnostic):
    """The text is longer than a program, or a scenario, may be.

    A scenario takes one or two thousand characters; it may have 20,000, and a file a million. Longer texts
    are refused before they are read, so that every compilation takes bounded time and memory. Split the
    file: each scenario compiles by itself. If one scenario is too long, its condition most likely is
    several.
    """

    code = "SCN002"
    what: str
    limit: int

    @property
    def message(self) -> str:
        return f"the {self.what} has more than the {self.limit:,} characters that it may have"

    @property
    def help(self) -> str:
        if self.what == "scenario":
            return "split it into several scenarios, one for each condition"
        return "split it into several files; each scenario compiles by itself"


@attrs.frozen
class NoScenario(Diagnostic):
    """The text contains no scenario.

    A program is one or more scenarios:

        scenario my_first for alfworld { … }

    `skillsandbox new NAME` writes one to start from.
    """

    code = "SCN003"

    @property
    def message(self) -> str:
        return "there is no scenario in this text"

    @property
    def expected(self) -> str:
        return "`scenario NAME for ENVIRONMENT { … }`"

    @property
    def help(self) -> str:
        return "`skillsandbox new NAME` writes one to start from"


@attrs.frozen
class TooDeep(Diagnostic):
    """Brackets, or words such as `not` and `eventually`, are nested more deeply than a program needs.

    Expressions may be nested, but only so far, so that every compilation takes bounded time and memory.
    `and` and `or` take any number of operands without parentheses: write `a and b and c`, not `((a and b)
    and c)`.
    """

    code = "SCN004"
    what: str
    limit: int

    @property
    def message(self) -> str:
        return f"{self.what} nested more than {self.limit} deep"

    @property
    def help(self) -> str:
        return "take out parentheses: `a and b and c` needs none"


@attrs.frozen
class UnexpectedInput(Diagnostic):
    """Something stands where the grammar does not allow it.

        goal put ?food.type into ?dest.type     refused: expected `in`

    The message says what may stand there, and what was most likely meant. The compiler goes on at the next
    section, so that one run reports the mistakes of all sections; after a hundred mistakes it stops.
    """

    code = "SCN005"
    text: str
    options: tuple[str, ...]
    suggestion: str | None = None
    advice: str | None = None
    other: Note | None = None
    is_safe: bool = True

    @property
    def message(self) -> str:
        return f"unexpected {self.text}"

    @property
    def expected(self) -> str | None:
        return _listing(self.options) or None

    @property
    def found(self) -> str:
        return self.text

    @property
    def help(self) -> str | None:
        return _did_you_mean(self.suggestion) or self.advice

    @property
    def notes(self) -> tuple[Note, ...]:
        return (self.other,) if self.other else ()

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion) if self.is_safe else None


@attrs.frozen
class UnclosedText(Diagnostic):
    """A quoted text does not end on its line.

    Texts stand between double quotes on one line. Inside, `\\"` is a quote, `\\\\` a backslash, `\\n` a
    line break, `\\{` and `\\}` are braces. In `say`, a brace without a backslash opens a hole: `say "put a
    {?food.type} away"`.
    """

    code = "SCN006"

    @property
    def message(self) -> str:
        return "this text has no closing quote on its line"

    @property
    def expected(self) -> str:
        return 'a text such as `"put it away"`'

    @property
    def help(self) -> str:
        return 'close it with `"`; write `\\n` for a line break, `\\"` for a quote, `\\{` for a brace'


@attrs.frozen
class UnknownEnvironment(Diagnostic):
    """No environment of this name is installed.

    The word after `for` names the environment that the scenario is built in. Environments plug in through
    Python packages; the message lists those that are installed here.
    """

    code = "SCN007"
    name: str
    installed: tuple[str, ...]
    suggestion: str | None

    @property
    def message(self) -> str:
        return f"there is no environment `{self.name}`"

    @property
    def expected(self) -> str:
        return _listing(tuple(f"`{name}`" for name in self.installed))

    @property
    def found(self) -> str:
        return f"`{self.name}`"

    @property
    def help(self) -> str | None:
        return _did_you_mean(self.suggestion) or f"installed here: {', '.join(self.installed)}"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class Unescaped(Diagnostic):
    """A backslash or a brace stands in a text as if it meant something, but it does not.

        say "put it in the C:\\ drawer"          refused: `\\ ` means nothing
        say "one } too many"                    refused: a brace opens or closes a hole in `say`

    In a text, `\\"` is a quote, `\\\\` a backslash, `\\n` a line break, and `\\{` and `\\}` are braces.
    Write one of these.
    """

    code = "SCN008"
    text: str
    escaped: str

    @property
    def message(self) -> str:
        return f"`{self.text}` cannot stand in this text as it is"

    @property
    def expected(self) -> str:
        return f"`{self.escaped}`"

    @property
    def found(self) -> str:
        return f"`{self.text}`"

    @property
    def help(self) -> str:
        return f"write `{self.escaped}` if you mean the character itself"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.escaped)


ORDER = "condition, from, let, goal, say, build, history, require, encounter, novel"


@attrs.frozen
class MissingSection(Diagnostic):
    """A scenario lacks a section that every scenario has.

    Every scenario has `condition`, `goal`, `say` and `encounter`; the others are there where
    they are needed. Sections come in this order: condition, from, let, goal, say, build, history, require,
    encounter, novel. Only a scenario whose condition is `unsupported` has no other section.
    """

    code = "SCN009"
    keywords: tuple[str, ...]

    @property
    def message(self) -> str:
        return f"this scenario has no {self._listed('or')}"

    @property
    def expected(self) -> str:
        return self._listed("and")

    def _listed(self, last: str) -> str:
        return _listing(tuple(f"`{keyword}`" for keyword in self.keywords), last)

    @property
    def help(self) -> str:
        return f"sections come in this order: {ORDER}"


@attrs.frozen
class Misplaced(Diagnostic):
    """A section stands twice, or below one that it belongs above.

        say "put an apple away"
        goal put ?food.type in ?dest.type       refused: `goal` stands above `say`

    Sections come in this order: condition, from, let, goal, say, build, history, require, encounter, novel.
    Only `let` stands any number of times.
    """

    code = "SCN010"
    keyword: str
    below: str
    other: Span

    @property
    def message(self) -> str:
        if self.below == self.keyword:
            return f"there is a second `{self.keyword}` in this scenario"
        return f"`{self.keyword}` belongs above `{self.below}`"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.other, f"`{self.below}` stands here"),)

    @property
    def help(self) -> str:
        if self.below == self.keyword:
            return "join the two"
        return f"sections come in this order: {ORDER}"


@attrs.frozen
class UnknownVariable(Diagnostic):
    """A variable is used that no `let` declares.

        goal put ?fod.type in ?dest.type        refused: there is `?food`

    Declare it with `let ?name: Type where …`.
    """

    code = "SCN101"
    name: str
    declared: tuple[str, ...]
    suggestion: str | None

    @property
    def message(self) -> str:
        return f"no `let` declares `?{self.name}`"

    @property
    def expected(self) -> str | None:
        return _listing(tuple(f"`?{name}`" for name in self.declared)) or None

    @property
    def found(self) -> str:
        return f"`?{self.name}`"

    @property
    def help(self) -> str:
        return _did_you_mean(self.suggestion) or f"declare it: `let ?{self.name}: …`"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class Duplicate(Diagnostic):
    """The same name is given twice: to two variables, two scenarios of a file, or two checks of a block.

        let ?food: Object
        let ?food: Receptacle                   refused: `?food` is declared above

    Names of variables, scenarios and checks must be unique, so that messages and reports can speak of them.
    """

    code = "SCN102"
    what: str
    name: str
    first: Span

    @property
    def message(self) -> str:
        return f"there are two {self.what}s named `{self.name}`"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.first, "the first one stands here"),)

    @property
    def help(self) -> str:
        return "give one of them another name"


@attrs.frozen
class UnknownLabel(Diagnostic):
    """An operation says `for LABEL`, but `require` has no check of that name.

        place ?food on ?start for within_raech  refused: the check is `within_reach`

    The label names the requirement that the operation establishes.
    """

    code = "SCN103"
    name: str
    labels: tuple[str, ...]
    suggestion: str | None

    @property
    def message(self) -> str:
        return f"`require` has no check `{self.name}`"

    @property
    def expected(self) -> str | None:
        return _listing(tuple(f"`{label}`" for label in self.labels)) or None

    @property
    def found(self) -> str:
        return f"`{self.name}`"

    @property
    def help(self) -> str:
        return (
            _did_you_mean(self.suggestion)
            or f"add `{self.name}: …` to `require`, or take `for {self.name}` away"
        )

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class UnknownConstant(Diagnostic):
    """A capitalised word is not a value of any enumeration of the environment.

        where ?tool.type == Frige               refused: did you mean `Fridge`?

    Object types, receptacle types and the like are enumerations; their values are written without quotes. The
    message names those that resemble the word most.
    """

    code = "SCN104"
    name: str
    type: str | None
    suggestion: str | None
    near: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        if self.type:
            return f"`{self.name}` is not {_article(self.type)}"
        return f"there is nothing called `{self.name}`"

    @property
    def expected(self) -> str | None:
        return _article(self.type) if self.type else None

    @property
    def found(self) -> str:
        return f"`{self.name}`"

    @property
    def help(self) -> str | None:
        if self.near and not self.suggestion:
            return f"the most similar ones are {_listing(self.near, 'and')}"
        return _did_you_mean(self.suggestion)

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class UnusedVariable(Diagnostic):
    """A variable is declared and never used.

    A `let` that nothing refers to constrains the scenario without a purpose: the data must contain such an
    entity, but nothing is done with it. A warning; take the `let` away, or use the variable.
    """

    code = "SCN105"
    severity = Severity.WARNING
    name: str

    @property
    def message(self) -> str:
        return f"`?{self.name}` is never used"

    @property
    def help(self) -> str:
        return "take this `let` away, or use the variable"


def _article(type: str | None) -> str:
    if not type:
        return "a value"
    return f"an {type}" if type[0] in "AEIOU" else f"a {type}"


@attrs.frozen
class TypeMismatch(Diagnostic):
    """A value of one type stands where another type is needed.

        place ?food on ?food                    refused: the second argument is a Receptacle
        where ?food.type == ?dest.type          refused: an ObjectType is never a ReceptacleType
        goal put ?food in ?dest                 refused: write `?food.type`, `?dest.type`

    There are no conversions. Where the type is fixed by another place, that place is shown too.
    """

    code = "SCN201"
    wanted: str
    actual: str
    where: str
    other: Note | None = None
    suggestion: str | None = None
    usable: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        return f"{self.where} must be {_article(self.wanted)}, but this is {_article(self.actual)}"

    @property
    def expected(self) -> str:
        return _article(self.wanted)

    @property
    def found(self) -> str:
        return _article(self.actual)

    @property
    def notes(self) -> tuple[Note, ...]:
        return (self.other,) if self.other else ()

    @property
    def help(self) -> str:
        if self.suggestion:
            return f"write `{self.suggestion}`"
        if self.usable:
            return f"{_article(self.wanted)} here is {_listing(tuple(f'`{one}`' for one in self.usable))}"
        if self.wanted == "Bool":
            return "say something that is true or false, such as a comparison"
        return f"put {_article(self.wanted)} here"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class NoSuchField(Diagnostic):
    """The type of a variable does not have this field.

        where ?food.openable                    refused: an Object has no `openable`

    The message lists the fields of the type.
    """

    code = "SCN202"
    field: str
    type: str
    fields: tuple[str, ...]
    suggestion: str | None
    declaration: Span

    @property
    def message(self) -> str:
        return f"{_article(self.type)} has no field `{self.field}`"

    @property
    def expected(self) -> str:
        return _listing(tuple(f"`{field}`" for field in self.fields))

    @property
    def found(self) -> str:
        return f"`{self.field}`"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.declaration, f"declared as {_article(self.type)} here"),)

    @property
    def help(self) -> str:
        return (
            _did_you_mean(self.suggestion)
            or f"the fields of {_article(self.type)} are {', '.join(self.fields)}"
        )

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion)


@attrs.frozen
class NotData(Diagnostic):
    """Something speaks of the configuration where only the data are known.

        let ?food: Object where not ?food.cool  refused: nothing has been built yet

    Variables are bound to the data first; the configuration is built after that. In `let`, `goal`, `say`,
    `build` and `novel` only the data are known. Say it in `require`, where
    it is checked on the built scenario, and establish it in `build`.
    """

    code = "SCN203"
    text: str

    @property
    def message(self) -> str:
        return f"`{self.text}` is known only once the scenario is built"

    @property
    def expected(self) -> str:
        return "something that the data say"

    @property
    def found(self) -> str:
        return "something that the configuration says"

    @property
    def help(self) -> str:
        return "move it into `require`"


@attrs.frozen
class OutOfRange(Diagnostic):
    """A number is outside the range that is allowed at its place.

    goal put 3 ?food.type in ?dest.type     refused: the official task puts two
    add 0 ?food.type                        refused: at least one

    """

    code = "SCN204"
    value: int
    least: int
    most: int
    why: str

    @property
    def message(self) -> str:
        return f"{self.value} is not allowed here: {self.why}"

    @property
    def expected(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"

    @property
    def found(self) -> str:
        return str(self.value)

    @property
    def help(self) -> str:
        return f"write {self.expected}"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, str(self.least)) if self.least == self.most else None


@attrs.frozen
class ModeMismatch(Diagnostic):
    """The condition arises in the history, but there is no `history` block; or there is one, and it does not.

        condition "…" arises in rollout
        history { open ?tool }                  refused: say `arises in history`

    `arises in history` demands a `history` block, and a `history` block demands `arises in history`.
    """

    code = "SCN205"
    mode: str
    block: Span | None

    @property
    def message(self) -> str:
        if self.block is None:
            return "the condition arises in the history, but there is no `history` block"
        return f"there is a `history` block, but the condition arises in {self.mode}"

    @property
    def expected(self) -> str:
        return "a `history` block" if self.block is None else "`arises in history`"

    @property
    def found(self) -> str:
        return "none" if self.block is None else f"`arises in {self.mode}`"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.block, "the block stands here"),) if self.block else ()

    @property
    def help(self) -> str:
        if self.block is None:
            return "add `history { … }` after `build`, or say `arises in rollout`"
        return "say `arises in history`, or take the block away"


@attrs.frozen
class TemporalAtStart(Diagnostic):
    """`at start` holds a formula about later instants.

        at start (eventually ?tool.open)        refused: `at start` speaks of one instant

    Write `eventually …` without `at start`: the run begins at the start anyhow.
    """

    code = "SCN206"

    @property
    def message(self) -> str:
        return "`at start` speaks of the first instant only"

    @property
    def expected(self) -> str:
        return "an expression without eventually, always, never, within, before, then"

    @property
    def help(self) -> str:
        return "take `at start` away, or the temporal word inside it"


@attrs.frozen
class Unordered(Diagnostic):
    """Values of this type have no order, so `<`, `<=`, `>` and `>=` say nothing about them.

    where ?food.type < Bread                refused: types are equal or not

    Numbers and amounts of money have an order. Compare other values with `==` or `!=`, or list the values
    that are meant: `?food.type in [Bread, Apple]`.
    """

    code = "SCN207"
    operator: str
    type: str

    @property
    def message(self) -> str:
        return f"values of type {self.type} have no order: `{self.operator}` does not apply"

    @property
    def expected(self) -> str:
        return "`==` or `!=`"

    @property
    def found(self) -> str:
        return f"`{self.operator}`"

    @property
    def help(self) -> str:
        return "compare with `==` or `!=`, or use `in [ … ]`"


@attrs.frozen
class Repeated(Diagnostic):
    """A condition can never be true, or always is, because it compares a thing with itself.

    where ?dest != ?dest                    refused: never true

    It is most likely a slip: name the variable that was meant on one of the sides.
    """

    code = "SCN208"
    text: str

    @property
    def message(self) -> str:
        return f"`{self.text}` compares a thing with itself"

    @property
    def expected(self) -> str:
        return "two different things"

    @property
    def help(self) -> str:
        return "name another variable on one side"


@attrs.frozen
class Impossible(Diagnostic):
    """A call is used in a way that the environment never allows, whatever its variables are bound to.

    goal put hot Book in Desk               refused: a Book cannot be heated
    """

    code = "SCN209"
    text: str
    reason: str

    @property
    def message(self) -> str:
        return f"`{self.text}` needs {self.reason}"

    @property
    def expected(self) -> str:
        return self.reason

    @property
    def help(self) -> str:
        return "choose another type here"


@attrs.frozen
class FixedDimension(Diagnostic):
    """A dimension of novelty is the same in every scenario.

        novel in Fridge                         refused: a Fridge is always a Fridge

    Scenarios differ in what their variables are bound to: name a variable, a field of one, or a dimension
    of the environment such as `scene`.
    """

    code = "SCN210"
    text: str

    @property
    def message(self) -> str:
        return f"`{self.text}` is the same in every scenario"

    @property
    def expected(self) -> str:
        return "a variable, a field of one, or a dimension of the environment"

    @property
    def found(self) -> str:
        return f"`{self.text}`"

    @property
    def help(self) -> str:
        return "name what may differ, such as the field of a variable"


@attrs.frozen
class TooManyVariables(Diagnostic):
    """A scenario declares more variables than a query over the data may join.

    A scenario needs a handful. With more than thirty, to find out that they cannot be bound together may take
    longer than anybody waits.
    """

    code = "SCN211"
    number: int
    limit: int

    @property
    def message(self) -> str:
        return f"this scenario declares {self.number} variables; at most {self.limit} are allowed"

    @property
    def help(self) -> str:
        return (
            "leave out variables that the condition does not speak of; `add` brings objects that need no name"
        )


@attrs.frozen
class Clause:
    """One constraint of a conflict; taken alone it leaves `left` of `total` candidates, which are `noun`."""

    text: str
    span: Span
    left: int
    total: int
    noun: str


@attrs.frozen
class Unsatisfiable(Diagnostic):
    """The data have no answer to the `let`s and what the operations and the goal need.

    The message names a smallest set of constraints that conflict: take any one of them away and the rest
    can be satisfied. For each it says how many candidates it leaves when taken by itself.

        let ?tool: Receptacle where ?tool.type == Fridge and ?tool.type == Microwave
    """

    code = "SCN301"
    clauses: tuple[Clause, ...]

    @property
    def message(self) -> str:
        if len(self.clauses) == 1:
            return "nothing in the data satisfies this"
        return f"these {len(self.clauses)} constraints cannot be satisfied together"

    @property
    def found(self) -> str:
        return "; ".join(
            f"`{clause.text}` leaves {clause.left:,} of {clause.total:,} {clause.noun}"
            for clause in self.clauses
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(
            Note(clause.span, f"leaves {clause.left:,} of {clause.total:,} {clause.noun}")
            for clause in self.clauses
        )

    @property
    def help(self) -> str:
        return "loosen or remove one of them; the rest can be satisfied"


@attrs.frozen
class BaseNotFound(Diagnostic):
    """The starting configuration that `from` names cannot be had.

        from game "valid_seen/pick_and_place_simple-Mug-None-Desk-308/trial_T0"

    ALFWorld's own games are read from the folder that the environment variable ALFWORLD_DATA names.
    """

    code = "SCN302"
    reason: str

    @property
    def message(self) -> str:
        return f"this starting configuration cannot be had: {self.reason}"

    @property
    def help(self) -> str:
        return "check the name, or take the `from` line away to start from the default arrangement"


@attrs.frozen
class NothingNovel(Diagnostic):
    """Every answer in the data repeats the source task or a sibling scenario in the `novel` dimensions.

    `novel in scene` demands a scene other than the source task's, and that no two sibling scenarios agree
    in all the listed dimensions. List more dimensions, or constrain the variables less.
    """

    code = "SCN303"
    siblings: int
    source: bool

    @property
    def message(self) -> str:
        against = [f"{_counted(self.siblings, 'sibling scenario')}"] if self.siblings else []
        against += ["the source task"] if self.source else []
        return f"no answer in the data is novel against {_listing(tuple(against), 'and')}"

    @property
    def help(self) -> str:
        return "list more dimensions in `novel in …`, or constrain the variables less"


@attrs.frozen
class TooManyCombinations(Diagnostic):
    """To find out whether the variables can be bound together takes too long.

        let ?a: Receptacle where ?a.type == Shelf
        …                                       and eleven more shelves, each other than all before it

    The data store gives up on a query after a fixed number of steps, on every machine the same. Many
    variables of one type that must all differ are the usual cause: use fewer, or tell them apart by their
    types.
    """

    code = "SCN304"

    @property
    def message(self) -> str:
        return "the search for entities that satisfy all of this gave up: there are too many combinations"

    @property
    def help(self) -> str:
        return "use fewer variables, or say more about each by itself"


@attrs.frozen
class UnknownWord(Diagnostic):
    """A text stands where a word of the data is wanted, and the data do not have it.

        goal buy ?target { attribute "easy to clean" }      refused: the data have "easy clean"

    Some texts are not free: attributes, categories or options of products must be those of the catalogue,
    letter for letter, or, outside of `let`, options that `build` adds. The message gives the word that was
    most likely meant, or some that look alike.
    """

    code = "SCN305"
    text: str
    type: str
    suggestion: str | None
    near: tuple[str, ...]

    @property
    def message(self) -> str:
        return f"the data have no {self.type} `{self.text}`"

    @property
    def expected(self) -> str | None:
        likely = (self.suggestion,) if self.suggestion else self.near
        return _listing(tuple(f"`{one}`" for one in likely)) or None

    @property
    def found(self) -> str:
        return f"`{self.text}`"

    @property
    def help(self) -> str:
        return _did_you_mean(self.suggestion) or f"write {_article(self.type)} that the data have"

    @property
    def fix(self) -> Fix | None:
        return _replacement(self.span, self.suggestion and f'"{escape(self.suggestion)}"')


@attrs.frozen
class OperationRefused(Diagnostic):
    """An operation does not apply to the configuration as it stands at that point.

        remove ?food
        place ?food on ?start                   refused: `?food` is no longer there

    Operations apply in order, each to the result of those before it.
    """

    code = "SCN401"
    reason: str

    @property
    def message(self) -> str:
        return f"this operation cannot be applied: {self.reason}"

    @property
    def help(self) -> str:
        return "reorder or change the operations above it"


@attrs.frozen
class RequirementFails(Diagnostic):
    """A check in `require` does not hold in the built configuration.

    Either an operation that says `for` this check does not establish it, or no operation does and the data
    do not satisfy it by themselves. The message says which.
    """

    code = "SCN402"
    label: str
    established_by: tuple[Span, ...]

    @property
    def message(self) -> str:
        if self.established_by:
            return f"the requirement `{self.label}` does not hold, although an operation is `for` it"
        return f"nothing establishes the requirement `{self.label}`, and the data do not satisfy it"

    @property
    def expected(self) -> str:
        return "a configuration in which it holds"

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(Note(span, "this operation is `for` it") for span in self.established_by)

    @property
    def help(self) -> str:
        if self.established_by:
            return "the operation does not establish it, or a later one undoes it"
        return f"add an operation to `build` that establishes it, with `for {self.label}`"


@attrs.frozen
class GoalAlreadyTrue(Diagnostic):
    """The goal is true before the agent does anything.

        goal put ?food.type in ?start.type      with `place ?food on ?start`

    A task that is done at its start tells nothing about a skill. Place the target elsewhere, remove other
    objects of its type from the destination (`remove every ?food.type except ?food`), or choose another
    destination.
    """

    code = "SCN403"
    after_history: bool

    @property
    def message(self) -> str:
        return (
            "the history already reaches the goal"
            if self.after_history
            else "the goal is already true at the start"
        )

    @property
    def help(self) -> str:
        if self.after_history:
            return "leave the last step of the task to the agent"
        return "place the target elsewhere, or remove others of its type that are there already"


@attrs.frozen
class Unsolvable(Diagnostic):
    """No plan reaches the goal within the step limit, or the search for one gave up; the message says which.

    Every scenario must be solvable by an agent that knows everything, within the benchmark's step limit.
    """

    code = "SCN404"
    reason: str

    @property
    def message(self) -> str:
        return f"the task cannot be solved: {self.reason}"

    @property
    def help(self) -> str:
        return "look for operations that remove what the goal needs, or bring it nearer"


@attrs.frozen
class EncounterUnreachable(Diagnostic):
    """No run that was tried makes this encounter check true: the skill's condition may never arise.

        never_opened: never ?tool.open and eventually ?tool.open

    The compiler runs its own plan first and then searches for the shortest run that satisfies the check. The
    message says how far it searched.
    """

    code = "SCN405"
    label: str
    reason: str

    @property
    def message(self) -> str:
        return f"no run that was tried satisfies the encounter check `{self.label}`: {self.reason}"

    @property
    def help(self) -> str:
        return "make the check weaker, or change `build` so that it can come about"


@attrs.frozen
class NotInitially(Diagnostic):
    """The condition is said to arise in `initial`, but an encounter check does not hold at the start.

    condition "…" arises in initial
    encounter { holding: agent holds ?food }    needs `agent holds ?food` in `build`
    """

    code = "SCN406"
    label: str
    condition: Span

    @property
    def message(self) -> str:
        return f"the encounter check `{self.label}` does not hold at the start"

    @property
    def expected(self) -> str:
        return "a check that holds at step 0"

    @property
    def notes(self) -> tuple[Note, ...]:
        return (Note(self.condition, "the condition arises in initial"),)

    @property
    def help(self) -> str:
        return "establish it in `build`, or say `arises in rollout`"


@attrs.frozen
class HistoryInadmissible(Diagnostic):
    """An action of the history cannot be executed where it stands.

        history { open ?tool }                  refused unless the agent is at `?tool`: `go to ?tool` first

    The history consists of real actions, each admissible after those before it.
    """

    code = "SCN407"
    command: str

    @property
    def message(self) -> str:
        return f"`{self.command}` is not admissible at this point of the history"

    @property
    def expected(self) -> str:
        return "an action that the environment admits here"

    @property
    def help(self) -> str:
        return "put the actions that it needs before it, such as going there"


@attrs.frozen
class WordingRefused(Diagnostic):
    """The task's wording contains what the environment's text cannot carry.

        say "put the \\"red\\" apple away"        refused in ALFWorld: a quote breaks the official game file

    ALFWorld evaluates the task's text as grammar code, so quotes, braces, `#`, `|`, brackets and line
    breaks would be changed or would end the game. Say it without them.
    """

    code = "SCN408"
    reason: str

    @property
    def message(self) -> str:
        return f"this wording cannot be carried by the environment: {self.reason}"

    @property
    def expected(self) -> str:
        return "plain words"

    @property
    def help(self) -> str:
        return "say it without these characters"


@attrs.frozen
class TaskRefused(Diagnostic):
    """The environment cannot make a task of this goal and configuration; the message says why.

    Everything that the interface says of goals has been checked before; what is left concerns the goal
    together with the configuration that was built for it, such as a limit of the benchmark's own format.
    """

    code = "SCN409"
    reason: str

    @property
    def message(self) -> str:
        return f"this goal cannot be made a task: {self.reason}"

    @property
    def help(self) -> str:
        return "change the goal, or the configuration that it speaks of"


@attrs.frozen
class EngineDisagrees(Diagnostic):
    """The plan that was found does not win in the benchmark's official engine.

    `compile --engine official` replays every plan there before it writes the scenario. A disagreement is a
    fault of the compiler, not of the program: please report it with the program and the seed.
    """

    code = "SCN410"
    reason: str

    @property
    def message(self) -> str:
        return f"the official engine does not accept the compiler's plan: {self.reason}"

    @property
    def help(self) -> str:
        return "this is a fault of the compiler; please report it with the program and the seed"


@attrs.frozen
class ConditionUnsupported(Diagnostic):
    """The program says that the environment cannot bring its condition about, so there is nothing to build.

        condition "The product's box is dented." unsupported "the catalogue has no such property"

    A warning: the answer is valid, and no scenario comes of it.
    """

    code = "SCN501"
    severity = Severity.WARNING
    reason: str

    @property
    def message(self) -> str:
        return f"the condition is not supported: {self.reason}"

    @property
    def help(self) -> str:
        return "nothing to do: no scenario is built for this condition"


_REFERENCE_HEAD = """\
# Diagnostics

What the compiler says about a program, one section for each code. `skillsandbox check` reports them with the
place in the program, `skillsandbox explain CODE` prints the section. Codes never change their meaning.
"""


def all_kinds() -> dict[str, type[Diagnostic]]:
    """Return every kind of diagnostic by its code."""
    kinds = [kind for kind in globals().values() if inspect.isclass(kind) and issubclass(kind, Diagnostic)]
    return {kind.code: kind for kind in sorted(kinds, key=lambda kind: kind.code) if kind.code}


def explanation(kind: type[Diagnostic]) -> str:
    """Return the long text about a kind of diagnostic, as `skillsandbox explain` prints it."""
    return f"{kind.code} ({kind.severity}) {kind.__name__}\n\n{inspect.cleandoc(kind.__doc__ or '')}"


def reference() -> str:
    """Return the page that documents every kind of diagnostic, in Markdown."""
    sections = (
        f"## {code} {kind.__name__}\n\n{inspect.cleandoc(kind.__doc__ or '')}\n"
        for code, kind in all_kinds().items()
    )
    return "\n".join([_REFERENCE_HEAD, *sections])
