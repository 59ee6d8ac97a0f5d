"""The same release from a real Dask cluster over TCP, whatever happens to its workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.killed_workers import Cluster, killing, same
from discreet.contracts import Progress
from discreet.errors import DataError, UsageError
from discreet.release.plan import Plan
from discreet.scaling.cluster import DaskEngine, cluster_engine
from discreet.scaling.protecting import protect_large
from tests.scaling.homes import homes, plan_of_homes
from tests.scaling.people import LITTLE, people, written

STEPS = """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
  - microaggregation: {partition: {mdav: {k: 5, blocks: 2000}}}
  - rank-swapping: {p: 1, columns: [hours]}
  - pram: {columns: [ill]}
"""
ROWS = 70_000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for the tests of this file."""
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A plan, and its release made without a cluster."""
    folder = tmp_path_factory.mktemp("plan")
    plan = Plan.load(written(folder, STEPS, "claims: {k-anonymity: 5}", rows=ROWS))
    protect_large(plan, folder / "alone", seed=7, memory=LITTLE)
    return plan


@pytest.mark.timeout(600)
def test_two_workers_write_the_same_bytes(cluster: Cluster, plan: Plan, tmp_path: Path) -> None:
    engine = DaskEngine(cluster.client)
    protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    assert same(plan.folder / "alone", tmp_path / "out")
    assert engine.described == "on 2 Dask workers"
    assert engine.at_once == 1


@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", ["households", "strata"])
def test_households_and_strata_are_the_same_too(
    cluster: Cluster, what: str, tmp_path: Path
) -> None:
    more = "release: {hold_back: 0.1}"
    if what == "households":
        steps = "  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}"
        path = plan_of_homes(tmp_path, steps, f"{more}\nrules: [always rent >= 0]", homes(2000))
    else:
        steps = "  - additive-noise: {columns: [income], by: [sex]}"
        path = written(tmp_path, steps, more, rows=3000)
    plan, engine = Plan.load(path), DaskEngine(cluster.client)
    protect_large(plan, tmp_path / "alone", seed=7, memory=LITTLE)
    protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    assert same(tmp_path / "alone", tmp_path / "out")


@pytest.mark.timeout(600)
def test_a_table_of_a_server_is_the_same_too(
    cluster: Cluster, plan: Plan, postgres: str, tmp_path: Path
) -> None:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("people", people(ROWS), mode="create")
    query = {"query": "select * from people order by id"}
    of_table = replace(plan, file=postgres, options=query)
    engine = DaskEngine(cluster.client)
    protect_large(of_table, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    assert same(plan.folder / "alone", tmp_path / "out")


@pytest.mark.timeout(600)
def test_killed_workers_change_nothing(cluster: Cluster, plan: Plan, tmp_path: Path) -> None:
    with killing(cluster, kills=2, apart=0.7, seed=1) as moments:
        engine = DaskEngine(cluster.client)
        protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    assert moments
    assert same(plan.folder / "alone", tmp_path / "out")


def _fails(task: int) -> int:
    raise DataError(f"task {task} fails")


@pytest.mark.timeout(300)
def test_an_error_of_a_task_is_told(cluster: Cluster) -> None:
    cluster.client.wait_for_workers(1, timeout=120)
    with pytest.raises(DataError, match="task 3 fails"):
        DaskEngine(cluster.client).map(_fails, [3], "failing")


def test_what_was_asked_for() -> None:
    with cluster_engine(None, None, 10**9, Progress()) as engine:
        assert engine.described == "on this machine"
    with (
        pytest.raises(UsageError, match="either its scheduler or a number"),
        cluster_engine("tcp://127.0.0.1:1", 2, 10**9, Progress()),
    ):
        pass
