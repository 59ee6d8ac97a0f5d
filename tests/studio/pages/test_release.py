from __future__ import annotations

from discreet.publishing.verifying import verify
from tests.studio.client import Client

Work = tuple[Client, str]


def test_the_release_is_written_and_verified(done: Work) -> None:
    client, work = done
    place = client.studio.work(work.removeprefix("/w/"))
    [release] = place.releases()[-1:]
    assert verify(release).holds
    page = client.get(f"{work}/release").text
    assert "Written and verified" in page
    assert "matches its manifest" in page
    assert "protected against disclosure" in page


def test_files_are_saved_under_their_names(done: Work) -> None:
    client, work = done
    answer = client.get(f"{work}/releases/release-1/release.csv")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.text.startswith("age,")
    for address in ("release-1/..%2F..%2Fplan.yaml", "release-1/none.csv", "none/release.csv"):
        assert client.get(f"{work}/releases/{address}").status in (404, 422)


def test_reports_are_shown_with_a_policy_of_their_own(done: Work) -> None:
    client, work = done
    internal = client.get(f"{work}/tried/1")
    assert "do not release" in internal.text
    assert "script-src" not in internal.headers["content-security-policy"]
    assert "sandbox" in internal.headers["content-security-policy"]
    assert "do not release" not in client.get(f"{work}/tried/1?form=public").text
    assert client.get(f"{work}/tried/99").status == 422


def test_without_a_release_nothing_is_written(small: Work) -> None:
    client, work = small
    assert "This plan has no release yet" in client.get(f"{work}/release").text
    assert client.post(f"{work}/release/write").status == 422


def test_options_are_part_of_the_plan(small: Work) -> None:
    client, work = small
    client.post(f"{work}/release/option", {"option": "shuffle", "value": ""})
    client.post(f"{work}/release/option", {"option": "spreadsheet_safe", "value": "yes"})
    client.post(f"{work}/release/option", {"option": "format", "value": "parquet"})
    plan = client.studio.work(work.removeprefix("/w/")).plan
    assert (plan.shuffle, plan.spreadsheet_safe, plan.format) == (False, True, "parquet")
    assert client.post(f"{work}/release/option", {"option": "seed", "value": "1"}).status == 422


def test_a_release_is_verified_again(done: Work) -> None:
    client, work = done
    assert client.post(f"{work}/release/verify", {"release": "release-1"}).status == 200
    assert client.finish().result["holds"]
    assert client.post(f"{work}/release/verify", {"release": "../tried/0001"}).status == 422
