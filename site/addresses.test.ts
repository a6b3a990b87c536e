import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, linkFrom } from "./addresses.ts";
import { editionOf } from "./audit-pages.ts";
import { makeHtml } from "./markdown.ts";

test("pages, runs and files of the project have an address each, other files none", () => {
  const addresses = {
    "README.md": "",
    "docs/start.md": "docs/start/",
    "docs/README.md": "docs/",
    "docs/experiments/draws.md": "docs/experiments/draws/",
    "docs/audits/README.md": "audits/",
    "docs/audits/express.md": "audits/express/",
    "docs/audits/earlier/express/1.md": "audits/express/1/",
    "docs/audits/earlier/express/1.json": "audits/express/1/claims.json",
    "suites/users/README.md": "suites/users/",
    "CODE_OF_CONDUCT.md": "docs/code-of-conduct/",
    "results/": "runs/",
    "results/audit-express/": "runs/audit-express/",
    "results/audit-express/summary.json": "runs/audit-express/summary.json",
    "lab/audits.ts": null,
    "bench/exports/golden/markdown.md": null,
  };
  for (const [path, address] of Object.entries(addresses)) assert.equal(addressOf(path), address, path);
});

test("links lead from any depth to any other, whatever the root", () => {
  assert.equal(linkFrom("", ""), "./");
  assert.equal(linkFrom("docs/start/", ""), "../../");
  assert.equal(linkFrom("docs/start/", "docs/start/"), "./");
  assert.equal(linkFrom("audits/express/1/", "runs/a/summary.json"), "../../../runs/a/summary.json");
});

test("an audit that replaces kept ones has the next number", () => {
  assert.equal(editionOf("express", ["docs/audits/express.md"]), 1);
  assert.equal(
    editionOf("express", [
      "docs/audits/earlier/express/1.md",
      "docs/audits/earlier/express/1.json",
      "docs/audits/earlier/srvx/1.md",
    ]),
    2,
  );
});

test("a run has its JSON beside it, links lead where they are told, comments go, and other HTML is refused", () => {
  const links = { to: (path: string) => `to:${path}`, json: (run: string) => run === "audit-a" ? "a.json" : null };
  const made = (text: string) => makeHtml(text, "docs/x.md", links).html;
  assert.match(
    made("[1.2 ×](../results/audit-a/)"),
    /<a href="to:results\/audit-a\/">1.2 ×<\/a> <a class="json" href="a.json"/,
  );
  assert.match(
    made('Two.\n\n<!-- results/audit-a says "Two" -->\n'),
    /Figures of <a [^>]*>audit-a<\/a> <a class="json"/,
  );
  assert.equal(made("<!-- nothing -->\n"), "");
  assert.match(made("[a](y.md#b)"), /href="to:docs\/y.md#b"/);
  assert.throws(() => made("a <script>b</script>"), RangeError);
  assert.throws(() => made("<div>\n"), RangeError);
  const { sections } = makeHtml("# A\n\n## B c\n\none\n\n## B c\n\ntwo\n", "docs/x.md", links);
  assert.deepEqual(sections.map(({ id, text }) => [id, text.trim()]), [["", ""], ["b-c", "one"], ["b-c-1", "two"]]);
});
