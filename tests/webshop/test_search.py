"""Search results are Lucene's; after edits they are those of a fresh index of the edited documents."""

import gzip
import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.envs.webshop import index as index_module
from skillsandbox.envs.webshop import indexing
from skillsandbox.envs.webshop.analysis import terms
from skillsandbox.envs.webshop.bm25 import LENGTHS, norms_of
from skillsandbox.envs.webshop.index import Index, IndexUnusableError, UnknownDocumentError
from skillsandbox.envs.webshop.search import Hit
from skillsandbox.envs.webshop.segment import ARRAYS, DuplicateDocumentError

LUCENE = Path(__file__).parents[2] / ".." / "shared" / "data" / "webshop" / "lucene"

WORDS = ("red", "mug", "mugs", "large", "cotton", "the", "easy", "cleaning", "clean", "★", "usb-c", "2.4ghz")
some_text = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
some_id = st.integers(0, 30).map("B{:03}".format)
some_documents = st.dictionaries(some_id, some_text, max_size=20)


def reference(documents: Mapping[str, str], query: str) -> list[Hit]:
    """BM25 as Lucene's documentation and code give it, one document at a time."""
    counts = {document_id: Counter(terms(text)) for document_id, text in documents.items()}
    counts = {document_id: count for document_id, count in counts.items() if count}
    if not counts:
        return []
    having = Counter(term for count in counts.values() for term in count)
    one, k1, b = np.float32(1), np.float32(0.9), np.float32(0.4)
    average = np.float32(sum(count.total() for count in counts.values()) / len(counts))
    hits = []
    for document_id, count in counts.items():
        length = np.float32(max(each for each in LENGTHS if each <= count.total()))
        inverse_norm = one / (k1 * ((one - b) + b * length / average))
        scores = []
        for term, times in Counter(terms(query)).items():
            if term in count:
                idf = np.float32(math.log(1 + (len(counts) - having[term] + 0.5) / (having[term] + 0.5)))
                weight = np.float32(times) * idf
                scores.append(float(weight - weight / (one + np.float32(count[term]) * inverse_norm)))
        if scores:
            hits.append(Hit(document_id, float(np.float32(sum(scores)))))
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))


def lines(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.skipif(not LUCENE.exists(), reason="needs ../shared/data/webshop/lucene beside the project")
def test_results_equal_lucenes_on_500_queries() -> None:
    index = Index.of((str(d["id"]), str(d["contents"])) for d in lines(LUCENE / "documents_5000.jsonl.gz"))
    queries = lines(LUCENE / "top50_5000.jsonl.gz")
    assert len(queries) == 500
    for query in queries:
        hits = index.search(str(query["query"]), 50)
        expected = query["hits"]
        assert isinstance(expected, list)
        assert [hit.id for hit in hits] == [document_id for document_id, _ in expected]
        # Anserini rounds scores to four decimals, and then takes a millionth off for each tie above.
        assert [hit.score for hit in hits] == pytest.approx(
            [score for _, score in expected], abs=1.1e-4, rel=0
        )


@settings(deadline=None)
@given(some_documents, some_text)
def test_scores_are_bm25_in_single_precision(documents: dict[str, str], query: str) -> None:
    assert list(Index.of(documents.items()).search(query, 1000)) == reference(documents, query)


def test_scores_are_bm25_in_collections_larger_than_a_scoring_window() -> None:
    rng = random.Random(7)
    documents = {f"B{number:06}": " ".join(rng.choices(WORDS, k=3)) for number in range(40_000)}
    assert (
        list(Index.of(documents.items()).search("mugs 2.4ghz", 60))
        == reference(documents, "mugs 2.4ghz")[:60]
    )


@settings(deadline=None)
@given(some_documents, some_text, st.integers(1, 25))
def test_fewer_results_are_the_first_of_more(documents: dict[str, str], query: str, k: int) -> None:
    index = Index.of(documents.items())
    assert index.search(query, k) == index.search(query, 1000)[:k]


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=40, max_size=40), min_size=1, max_size=6),
    st.lists(st.integers(1, 80), min_size=6, max_size=6),
    st.sets(st.integers(0, 39)),
    st.integers(1, 6),
    st.integers(1, 15),
)
@settings(deadline=None)
def test_scoring_a_few_documents_at_a_time_finds_the_same_as_all_at_once(
    counts: list[list[int]], tenths: list[int], passed_over: set[int], k: int, window: int
) -> None:
    """In later windows terms of little weight are looked up only for what can still be among the best."""
    from skillsandbox.envs.webshop.scoring import WINDOW, best

    postings = [[number for number, times in enumerate(one) if times] for one in counts]
    ends = np.cumsum([0, *map(len, postings)])

    def found(size: int) -> list[tuple[float, int]]:
        hits = best(
            np.array([number for one in postings for number in one], np.uint32),
            np.array([times for one in counts for times in one if times], np.uint8),
            np.arange(40, dtype=np.uint8) * 6,
            ends[:-1],
            ends[1:],
            np.array(tenths[: len(counts)], np.float32) / np.float32(10),
            np.geomspace(500, 5, 256, dtype=np.float32),  # scores come near the weights, their bounds
            np.array(sorted(passed_over), np.int64),
            k,
            size,
        )
        return sorted((float(score), int(number)) for score, number in hits)

    assert found(window) == found(WINDOW)


def test_equal_scores_go_by_id() -> None:
    index = Index.of((document_id, "red mug") for document_id in ("B2", "B10", "B1", "b0"))
    assert [hit.id for hit in index.search("mug")] == ["B1", "B10", "B2", "b0"]


@pytest.mark.parametrize("query", ["", "the", "nowhere", "-"])
def test_queries_that_find_nothing(query: str) -> None:
    assert Index.of([("B1", "the red mug")]).search(query) == ()
    assert Index.of([]).search(query) == ()


@pytest.mark.parametrize("k", [0, -1])
def test_at_least_one_result_must_be_asked_for(k: int) -> None:
    with pytest.raises(ValueError, match="k is"):
        Index.of([]).search("mug", k)


def test_a_term_that_fills_a_document_counts_in_full() -> None:
    documents = {"B1": "mug " * 300, "B2": "mug " * 299 + "red"}
    assert list(Index.of(documents.items()).search("mug")) == reference(documents, "mug")


def test_threads_share_an_index() -> None:
    index = Index.of((f"B{number}", " ".join(WORDS[number % 7 :])) for number in range(500))
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(index.search, ["red clean mug"] * 50))) == 1


def test_lengths_are_exact_up_to_39_and_then_rounded_down_to_four_bits() -> None:
    lengths = np.array([0, 1, 23, 24, 39, 40, 41, 42, 57, 1000], np.uint32)
    assert [LENGTHS[norm] for norm in norms_of(lengths)] == [0, 1, 23, 24, 39, 40, 40, 42, 56, 984]


# Edits


@settings(deadline=None)
@given(some_documents, some_documents, st.sets(some_id, max_size=6), some_text)
def test_an_edited_index_equals_a_fresh_one(
    documents: dict[str, str], changed: dict[str, str], removed: set[str], query: str
) -> None:
    removed &= documents.keys() - changed.keys()
    fresh = {each: text for each, text in (documents | changed).items() if each not in removed}
    edited = Index.of(documents.items()).edited(changed, removed)
    assert edited.search(query, 1000) == Index.of(fresh.items()).search(query, 1000)


@settings(deadline=None)
@given(
    some_documents, st.lists(st.tuples(some_documents, st.sets(some_id, max_size=4)), max_size=3), some_text
)
def test_edits_of_edits_equal_a_fresh_index(
    documents: dict[str, str], edits: list[tuple[dict[str, str], set[str]]], query: str
) -> None:
    fresh, edited = dict(documents), Index.of(documents.items())
    for changed, removed in edits:
        removed &= fresh.keys() - changed.keys()
        fresh = {each: text for each, text in (fresh | changed).items() if each not in removed}
        edited = edited.edited(changed, removed)
    assert edited.search(query, 1000) == Index.of(fresh.items()).search(query, 1000)


def test_edits_leave_the_index_as_it_was() -> None:
    index = Index.of([("B1", "red mug"), ("B2", "blue mug")])
    before = index.search("red mug")
    index.edited({"B1": "green cup"}, {"B2"})
    assert index.search("red mug") == before


def test_edits_that_make_no_sense_are_refused() -> None:
    index = Index.of([("B1", "red mug")])
    with pytest.raises(UnknownDocumentError, match="'B2'"):
        index.edited({}, ["B2"])
    with pytest.raises(UnknownDocumentError, match="'B1'"):
        index.edited({}, ["B1"]).edited({}, ["B1"])
    with pytest.raises(ValueError, match="'B1' is both"):
        index.edited({"B1": "cup"}, ["B1"])


# Indexes on disk


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shop(size: int, seed: int = 1) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    return [(f"B{number:05}", " ".join(rng.choices(WORDS, k=rng.randint(0, 9)))) for number in range(size)]


@settings(max_examples=20, deadline=None)
@given(some_documents, some_text)
def test_an_index_on_disk_equals_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, documents: dict[str, str], query: str
) -> None:
    folder = tmp_path_factory.mktemp("shop") / "index"
    Index.build(folder, documents.items())
    assert Index.open(folder).search(query, 1000) == Index.of(documents.items()).search(query, 1000)


def test_neither_order_nor_batches_nor_processes_change_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = shop(300)
    Index.build(tmp_path / "whole", documents)
    monkeypatch.setattr(indexing, "BATCH", 500)
    monkeypatch.setattr(indexing, "CHUNK", 40)
    Index.build(tmp_path / "batches", random.Random(2).sample(documents, len(documents)))
    Index.build(tmp_path / "processes", iter(documents), processes=2)
    whole = contents(tmp_path / "whole")
    assert contents(tmp_path / "batches") == whole
    assert contents(tmp_path / "processes") == whole
    assert sorted(whole) == sorted([*(f"{name}.npy" for name in ARRAYS), "manifest.json"])


@pytest.mark.parametrize("processes", [1, 2])
def test_documents_are_read_no_sooner_than_they_are_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 500)
    ahead = []

    def written(path: Path) -> int:
        # Another process may be writing the file: such a part does not count.
        try:
            return len(np.load(path))
        except (EOFError, ValueError):
            return 0

    def stream() -> Iterable[tuple[str, str]]:
        for number, document in enumerate(shop(300)):
            indexed = sum(map(written, tmp_path.rglob("parts/*/lengths.npy")))
            ahead.append(number - indexed)
            yield document

    Index.build(tmp_path / "index", stream(), processes)
    assert max(ahead) < 100


@pytest.mark.parametrize("batch", [1, 1 << 20])
def test_an_id_may_occur_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(indexing, "BATCH", batch)
    with pytest.raises(DuplicateDocumentError, match="'B1'"):
        Index.build(tmp_path / "index", [("B1", "red mug"), ("B2", "mug"), ("B1", "blue mug")])
    assert list(tmp_path.iterdir()) == []


def test_a_build_that_fails_leaves_the_index_before_it(tmp_path: Path) -> None:
    def broken() -> Iterable[tuple[str, str]]:
        yield from shop(10)
        raise OSError("the disk is gone")

    Index.build(tmp_path / "index", [("B1", "red mug")])
    before = contents(tmp_path / "index")
    with pytest.raises(OSError, match="the disk is gone"):
        Index.build(tmp_path / "index", broken())
    assert contents(tmp_path / "index") == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_build_replaces_the_index_before_it_and_readers_keep_theirs(tmp_path: Path) -> None:
    old = Index.build(tmp_path / "index", [("B1", "red mug")])
    new = Index.build(tmp_path / "index", [("B2", "red mug")])
    assert [hit.id for hit in (*old.search("mug"), *new.search("mug"))] == ["B1", "B2"]
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


@pytest.mark.parametrize("name", [*(f"{name}.npy" for name in ARRAYS), "manifest.json"])
def test_a_damaged_index_is_reported(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "index"
    Index.build(folder, shop(50))
    whole = (folder / name).read_bytes()
    for damaged in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 255]), b""):
        (folder / name).write_bytes(damaged)
        if not (name == "manifest.json" and damaged == whole[:-1]):  # a line break more or less is no damage
            with pytest.raises(IndexUnusableError, match="index"):
                Index.open(folder)
    (folder / name).unlink()
    with pytest.raises(IndexUnusableError, match="index"):
        Index.open(folder)


def test_an_index_of_another_format_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Index.build(tmp_path / "index", shop(5))
    monkeypatch.setattr(index_module, "FORMAT", index_module.FORMAT + 1)
    with pytest.raises(IndexUnusableError, match="format 1, where 2 is expected"):
        Index.open(tmp_path / "index")


def test_there_may_be_no_index_yet(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusableError, match="no index"):
        Index.open(tmp_path / "index")
