"""What an installation consists of: every folder of ours as `skillsandbox.*`, its data, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import distribution, entry_points, packages_distributions
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from skillsandbox.compiler.environment import environments

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
PACKAGES: list[str] = SETUPTOOLS["packages"]
FOLDERS = ("grammar", "compiler", "envs", "runtime", "specs")
LEFT_BEHIND = ("__pycache__",)


def folder_of(package: str) -> Path:
    """Return where the source of a package stands, as the mapping says."""
    mapped = {name: ROOT / folder for name, folder in SETUPTOOLS["package-dir"].items()}
    parts = package.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        if prefix in mapped:
            return mapped[prefix].joinpath(*parts[length:])
    raise AssertionError(f"{package} stands in no folder that is mapped")


def shipped_folders() -> Iterator[Path]:
    """Yield the folders that have modules of ours."""
    for top in FOLDERS:
        modules = (path for path in (ROOT / top).rglob("*.py") if not set(path.parts) & set(LEFT_BEHIND))
        yield from sorted({path.parent for path in modules})


def data_files() -> list[tuple[str, str]]:
    """Return package and path within it of every shipped file that is no module."""
    found = []
    for package in PACKAGES:
        folder = folder_of(package)
        nested = [folder_of(other) for other in PACKAGES if other.startswith(f"{package}.")]
        for path in sorted(folder.rglob("*")):
            made_here = set(path.parts) & set(LEFT_BEHIND)
            own = path.is_file() and not made_here and not any(map(path.is_relative_to, nested))
            if own and path.suffix != ".py":
                found.append((package, path.relative_to(folder).as_posix()))
    return found


def test_every_folder_with_modules_is_a_package() -> None:
    assert sorted(map(folder_of, PACKAGES)) == sorted(shipped_folders())


def imported_by_us() -> set[str]:
    """Return the top-level names that shipped modules import, wherever in them."""
    found: set[str] = set()
    for folder in shipped_folders():
        for path in folder.glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    found.add((node.module or "").partition(".")[0])
    return found - sys.stdlib_module_names - {"skillsandbox"}


def test_all_that_is_imported_is_declared_as_a_dependency() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    optional = [one for name, many in extras.items() if name not in ("test", "bench") for one in many]
    declared = {
        canonicalize(re.split(r"[^\w.-]", one, maxsplit=1)[0])
        for one in (*PROJECT["project"]["dependencies"], *optional)
    }
    providers = packages_distributions()
    missing = {
        name for name in imported_by_us() if not {*map(canonicalize, providers.get(name, [name]))} & declared
    }
    assert missing == set()


def canonicalize(name: str) -> str:
    """Return a distribution's name as the package index normalizes it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_nothing_generic_is_installed_at_the_top_level() -> None:
    assert {package.partition(".")[0] for package in PACKAGES} == {"skillsandbox"}
    assert set(SETUPTOOLS["package-dir"].values()) == set(FOLDERS)


@pytest.mark.parametrize(("package", "path"), data_files(), ids=lambda part: part)
def test_every_data_file_is_installed(package: str, path: str) -> None:
    patterns = SETUPTOOLS["package-data"].get(package, [])
    assert any(_matches(path, pattern) for pattern in patterns)


def _matches(path: str, pattern: str) -> bool:
    """Say whether setuptools' glob covers a path: `**` is any number of folders, `*` stays within one."""
    parts, wanted = PurePosixPath(path).parts, PurePosixPath(pattern).parts
    if wanted[0] == "**":
        return fnmatch(parts[-1], wanted[-1])
    return len(parts) == len(wanted) and all(map(fnmatch, parts, wanted))


def test_all_that_is_there_can_be_opened_as_a_resource() -> None:
    for package, path in data_files():
        assert files(package).joinpath(*path.split("/")).is_file()


def test_the_command_and_the_environment_are_registered() -> None:
    assert [point.name for point in entry_points(group="console_scripts") if point.name == "skillsandbox"]
    assert environments()["alfworld"]().name == "alfworld"


def test_what_is_installed_is_this_version() -> None:
    assert distribution("skillsandbox").version == PROJECT["project"]["version"]
