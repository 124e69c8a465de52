"""The report must not flatter the crawl that it measures."""

from crawlers.recipe import load
from crawlers.web.rules import Reach, exercised, own, parse, reach

UNLINKED = load("ihatemoney").unlinked
TABLE = """\
INFO  [alembic.runtime.migration] Context impl SQLiteImpl.
Endpoint        Methods           Rule
--------------  ----------------  ---------------------------------------------
api.billhandler DELETE, GET, PUT  /api/projects/<string:project_id>/bills
api.bill        GET, PUT          /api/projects/<string:project_id>/bills/<int:bill_id>
main.dashboard  GET               /dashboard
main.invite     GET, POST         /<project_id>/invite
main.list_bills   GET             /<project_id>/
main.edit_bill    GET, POST       /<project_id>/edit/<int:bill_id>
main.edit_project  GET, POST      /<project_id>/edit
main.export    GET                /<project_id>/export/<string:file>.<string:format>
main.settle     POST              /<project_id>/settle
static          GET               /static/<path:filename>
"""


def reached(*requests: str) -> set[str]:
    return {route.endpoint for route in exercised(parse(TABLE), requests)}


def test_only_rows_of_the_table_are_routes() -> None:
    routes = parse(TABLE)
    assert "main.list_bills" in {route.endpoint for route in routes}
    assert "Endpoint" not in {route.endpoint for route in routes}
    assert {route.endpoint for route in own(routes, UNLINKED)} == {
        "main.list_bills", "main.edit_bill", "main.edit_project", "main.export", "main.settle"
    }  # fmt: skip


def test_concrete_paths_and_templates_reach_their_rule_only() -> None:
    assert reached("GET /demo/edit/7") == {"main.edit_bill"}
    assert reached("POST /demo/edit/{}") == {"main.edit_bill"}
    assert reached("GET /demo/edit") == {"main.edit_project"}
    assert reached("GET /demo/") == {"main.list_bills"}
    assert reached("GET /demo/export/bills.csv") == {"main.export"}
    assert reached("GET /demo/edit/abc", "GET /a/b/c/d") == set()


def test_the_method_counts() -> None:
    assert reached("GET /demo/settle") == set()
    assert reached("POST /demo/settle") == {"main.settle"}


def test_the_fixed_rule_wins_over_the_placeholder() -> None:
    assert reached("GET /dashboard") == {"main.dashboard"}


def test_the_share_is_of_the_apps_own_routes() -> None:
    found = reach(TABLE, UNLINKED, ["GET /demo/", "POST /demo/settle", "GET /dashboard"])
    assert found == Reach(reached=2, known=5)
    assert found.share == 2 / 5
    assert reach("", (), ["GET /"]).share == 0.0
