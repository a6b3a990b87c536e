import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parts } from "../record/card.ts";
import { routeTables } from "./route-table.ts";
import { markdownFile, tablesMarkdown } from "./markdown.ts";
import { tablesText } from "./table.ts";
import { styleFor } from "./style.ts";

const options = { style: styleFor(false, {}), columns: Infinity };

type Route = NonNullable<Parts["routes"]>[number];

const route = (route: string, more: Partial<Route>): Route => ({
  route,
  statuses: [200],
  share: 0.25,
  requests_per_second: 250,
  reply_bytes: [90, 120],
  sampled: 0,
  p50_us: null,
  p99_us: null,
  ...more,
});
const subject = { name: "app", cell: { label: "main", point: { suite: "own", at: {} } } };
const cardOf = (...routes: Route[]) => ({ ...subject, routes });

test("a route has a row, what is not known a dash", () => {
  const card = cardOf(route("GET /a", { sampled: 12, p50_us: 600, reply_bytes: [180, 180] }), route("POST /b", {}));
  const [table] = routeTables([card]);
  assert.deepEqual([table!.heads, ...table!.rows].map((row) => row.join("|")), [
    "route|status|share|req/s|bytes a reply|p50|p99|samples",
    "GET /a|200|25.0 %|250|180 B|600µs|–|12",
    "POST /b|200|25.0 %|250|90 B to 120 B|–|–|0",
  ]);
  assert.equal(routeTables([cardOf(route("GET /a", {}))])[0]!.heads.length, 5, "no latencies were sampled");
});

test("a redirect's row names its status", () => {
  const lines = tablesText(routeTables([cardOf(route("GET /", { statuses: [301], share: 1 }))]), options);
  assert.match(lines, /^app \(by route\)\n.*\n {2}GET \/ +301 +100/);
  assert.equal(tablesText(routeTables([subject]), options), "");
});

test("in Markdown a path stays in its column, and cells without routes have no table", () => {
  const cards = [cardOf(route("GET /a|b", {})), subject];
  assert.deepEqual(markdownFile(tablesMarkdown(routeTables(cards))).split("\n"), [
    "**app** (by route)",
    "",
    "| route | status | share | req/s | bytes a reply |",
    "| --- | --- | --: | --: | --: |",
    "| GET /a\\|b | 200 | 25.0 % | 250 | 90 B to 120 B |",
    "",
  ]);
});
