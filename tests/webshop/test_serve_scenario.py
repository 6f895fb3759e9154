"""`skillsandbox serve`: a compiled scenario's shop in a browser, the scenario's edits in it."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from command_line import DONE, FAULTY, MISUSED

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.lowerer import lower, save
from skillsandbox.compiler.manifest import MANIFEST
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.alfworld import environment as alfworld
from skillsandbox.envs.webshop import environment as webshop
from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.runtime.cli import app

SPECS = Path(__file__).parents[2] / "specs"
SERVE = """
import signal
from skillsandbox.runtime.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
main()
"""


def compiled(path: Path, environment: Any) -> Scenario:
    source = Source(path.name, path.read_text("utf-8"))
    (scenario,) = compile_source(source, {environment().name: environment}, 0).scenarios
    return scenario


@attrs.frozen
class Saved:
    """A compiled scenario and its folder."""

    scenario: Scenario
    folder: Path

    @property
    def target(self) -> Product:
        product: Product = self.scenario.configuration.catalogue.product(self.scenario.binding["target"].key)
        return product


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    scenario = compiled(SPECS / "webshop" / "option_must_be_chosen.scn", webshop)
    return Saved(scenario, save(lower(scenario, webshop()), tmp_path_factory.mktemp("scenarios")))


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SERVE, "serve", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def address(saved: Saved) -> Iterator[str]:
    """Serve the scenario in a process of its own, and end it as a person does."""
    with started(str(saved.folder)) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        shown, instruction = serving.stdout.readline().strip(), serving.stdout.readline().strip()
        yield shown
        serving.send_signal(signal.SIGINT)
        assert (serving.wait(timeout=60), serving.stderr.read()) == (DONE, "")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", shown)
    assert instruction == saved.scenario.instruction


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(base_url=address)
    yield context.new_page()
    context.close()


def follow(page: Any, commands: Sequence[str], target: Product) -> None:
    """Do in the browser what commands say."""
    page.goto("/")
    for command in commands:
        verb, caption = command.removesuffix("]").split("[", 1)
        if verb == "search":
            page.get_by_role("searchbox").fill(caption)
            page.keyboard.press("Enter")
            page.wait_for_url("**/search?**")
        elif caption == "buy now":
            page.get_by_role("button", name="Buy now").click()
        elif caption == "next >":
            page.get_by_role("link", name="Next page").click()
        elif caption == target.asin.lower():
            page.locator(f'main h2 a[href^="/item/{target.asin}"]').click()
        else:
            page.get_by_text(caption, exact=True).click()


def reward(scenario: Scenario, commands: Sequence[str]) -> float:
    """Return what the episode gives for commands."""
    episode = scenario.task(webshop()).episode((), webshop().step_limit)
    episode.reset()
    return [episode.step(command) for command in commands][-1].reward


def test_the_edits_of_the_scenario_are_seen(page: Any, saved: Saved) -> None:
    before = saved.scenario.configuration.base.store.product(saved.target.asin)
    added = {value for option in saved.target.options for value in option.values} - {
        value for option in before.options for value in option.values
    }
    assert added, "the program changes options"
    page.goto(f"/item/{saved.target.asin}")
    assert page.get_by_role("heading", level=1).inner_text() == saved.target.title
    for value in added:
        assert page.get_by_role("radio", name=value.value, exact=True).count() == 1


def test_results_stand_where_the_scenario_ranks_them(page: Any, saved: Saved) -> None:
    query = next(
        kind
        for kind in saved.target.kind.split()
        if saved.target.asin not in saved.scenario.configuration.base.index.search(kind)[:1]
    )
    follow(page, [f"search[{query}]"], saved.target)
    links = page.locator("main h2 a").all()
    shown = [re.match(r"/item/(\w+)", link.get_attribute("href"))[1] for link in links]  # type: ignore[index]
    assert shown == list(saved.scenario.configuration.search(query))[:10]
    assert shown[0] == saved.target.asin


@pytest.mark.parametrize("chosen", [True, False])
def test_a_purchase_gives_the_reward_that_the_episode_gives(page: Any, saved: Saved, chosen: bool) -> None:
    commands = [one for one in saved.scenario.plan if chosen or one != "click[black]"]
    expected = reward(saved.scenario, commands)
    assert (expected == 1) is chosen
    follow(page, commands, saved.target)
    page.wait_for_url("**/receipt/**")
    assert page.get_by_role("heading", name=f"Your score: {expected:.2f} of 1.00").is_visible()


def serve(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["serve", *arguments], catch_exceptions=False)
    return result.exit_code, result.output


def test_a_port_that_is_taken_is_said_to_be(saved: Saved) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = serve(str(saved.folder), "--port", str(port))
    assert code == MISUSED
    assert f"port {port} cannot be had" in said


@pytest.mark.parametrize("port", ["-1", "65536", "http", ""])
def test_a_port_that_is_none_is_refused(saved: Saved, port: str) -> None:
    code, said = serve(str(saved.folder), "--port", port)
    assert code == MISUSED
    assert "--port" in said


def test_a_folder_that_is_no_scenario_is_refused(tmp_path: Path) -> None:
    assert serve(str(tmp_path / "nowhere"))[0] == MISUSED
    code, said = serve(str(tmp_path))
    assert code == FAULTY
    assert MANIFEST in said


def test_a_household_has_no_site(tmp_path: Path) -> None:
    scenario = compiled(SPECS / "alfworld" / "template.scn", alfworld)
    code, said = serve(str(save(lower(scenario, alfworld()), tmp_path)))
    assert code == FAULTY
    assert "ALFWorld is played in text and has no web site" in said


def test_the_catalogue_of_the_scenario_must_be_there(
    saved: Saved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEBSHOP_DATA", raising=False)
    text = (saved.folder / MANIFEST).read_text("utf-8")
    (tmp_path / MANIFEST).write_text(text.replace('"catalogue": "generated"', '"catalogue": "small"'))
    code, said = serve(str(tmp_path))
    assert code == FAULTY
    assert "$WEBSHOP_DATA" in said
