/** Everything that a stranger may write into a run is shown as text: 0 texts act in README, Markdown, CSV and page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { compareRuns } from "../bench/result/compare-runs.ts";
import { EXPORTS } from "../bench/exports/registry.ts";
import { withResults } from "../bench/exports/suite-results.ts";
import { makePage } from "../bench/page/make-page.ts";
import { readmeFiles } from "../bench/page/readme-results.ts";
import { pageData, type RunFiles } from "../bench/page/shown-run.ts";
import { comparisonMarkdown } from "../bench/report/comparison-table.ts";
import { gateMarkdown } from "../bench/report/gate-report.ts";
import { ACTING } from "../lab/hostile/acting-texts.ts";
import { hostileRuns } from "./fixtures/hostile-run.ts";
import { makeFixture, makeOddFixture } from "./fixtures/made-up-run.ts";
import { filesOf } from "./fixtures/run-files.ts";
import { acrossHosts } from "./fixtures/two-hosts.ts";
import { rendered } from "./rendered-markdown.ts";

/** A text without anything that acts: what each output looks like where texts are only texts. */
const PLAIN = "plain";
const KINDS = { ...ACTING, [PLAIN]: (n: number) => `plain${n}` };

const RUNS = [
  makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "drizzle"], rounds: 6 }),
  acrossHosts(makeOddFixture()),
].map((made) => hostileRuns(filesOf(made), KINDS));

const README = "# N\n\n<!-- results:begin -->\n<!-- results:end -->\n";
const SUITE = ["", " answer", " steps"].map((part) => `<!-- results/x${part}:begin -->\n<!-- results/x${part}:end -->`);

/** Each way in which a run becomes Markdown. */
const MARKDOWN: Readonly<Record<string, (files: RunFiles) => string>> = {
  "README.md": (files) => readmeFiles(README, files)[0]!.text,
  "a suite's README": (files) => withResults(SUITE.join("\n\n"), () => files),
  "--format markdown": (files) => EXPORTS["markdown"]!.render(files),
  "compare --markdown": (files) => {
    const { run } = files.run, side = sideOf(files);
    const elsewhere = { ...side, run: { ...files.run, machine: { ...files.run.machine, cpu_kind: "other-1-2" } } };
    return [side, elsewhere].map((other) => comparisonMarkdown([run, run], compareRuns(side, other))).join("\n");
  },
  "a gate's comment": ({ run, summary }) => {
    const text = summary.answer.subject;
    const pair = { base_ref: text, base_commit: text, named_commit: text, head_commit: text, head_changed: true };
    const requests = [{ method: "GET" as const, path: text }];
    const changed = [{ text }, { text: run.run }];
    return gateMarkdown({
      kind: "other-status",
      pair: { ...pair, carried: [text], lacking: text, moved: text },
      module: text,
      limit: 0.03,
      changed,
      requests,
      leftOut: [text],
    });
  },
};

const sideOf = (files: RunFiles) => ({
  ...files,
  lines: files.lines,
  cards: files.cells,
  label: files.run.plan.cells[0]!.label,
});

const isNoCode = (element: string) => element !== "code";

const kinds = Object.keys(ACTING);

for (const [name, render] of Object.entries(MARKDOWN)) {
  test(`no text of a run acts in ${name}, as a parser of GitHub's Markdown reads it`, async () => {
    for (const runs of RUNS) {
      const [plain, ...shown] = await rendered([PLAIN, ...kinds].map((kind) => render(runs[kind]!)));
      assert.ok(plain!.elements.length > 2 && plain!.text.includes(PLAIN), plain!.text);
      // A command that holds more than words is no code.
      const [like, codes] = [plain!.elements.filter(isNoCode).join(), plain!.elements.length];
      const acting = shown.flatMap(({ elements, alive }, n) =>
        alive.length === 0 && elements.filter(isNoCode).join() === like && elements.length <= codes
          ? []
          : [{ kind: kinds[n], alive, brought: elements.filter((one) => !plain!.elements.includes(one)) }]
      );
      assert.deepEqual(acting, []);
      assert.ok(shown[kinds.indexOf("HTML")]!.text.includes("<script>window.hacked="), "the text itself is shown");
    }
  });
}

/** The cells of a table as a spreadsheet reads them; without quotes as a lenient one does. */
function cellsOf(csv: string, separator: string, quotes: boolean): string[] {
  const cells: string[] = [];
  let cell = "", isQuoted = false;
  for (let n = 0; n < csv.length; n++) {
    const sign = csv[n]!;
    if (isQuoted && sign === '"' && csv[n + 1] === '"') cell += csv[++n];
    else if (quotes && sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === separator || sign === "\r" || sign === "\n")) {
      cells.push(cell);
      cell = "";
    } else cell += sign;
  }
  return cells;
}

test("no cell of a table is a formula, whether a reader parts cells by commas, semicolons or tabs", () => {
  const formula = /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/;
  for (const runs of RUNS.slice(1)) {
    for (const kind of kinds) {
      const csv = EXPORTS["csv"]!.render(runs[kind]!);
      for (const separator of [",", ";", "\t"]) {
        for (const quotes of [true, false]) {
          const acting = cellsOf(csv, separator, quotes).filter((cell) =>
            formula.test(cell) && Number.isNaN(Number(cell))
          );
          assert.deepEqual(acting.slice(0, 3), [], `${kind} by ${JSON.stringify(separator)}`);
        }
      }
    }
  }
});

/** Parts of a picture by its names: a label of several lines has one for each, and a value's sign follows from its name. */
const DRAWN_BY_NAME = ["tspan", "circle"];

test("no text of a run becomes an element or an address of the page", () => {
  // So none of these elements can be of a text.
  const texts = Object.values(ACTING).map((text) => text(1)).join("\n");
  assert.deepEqual(DRAWN_BY_NAME.filter((name) => texts.toLowerCase().includes(name)), []);
  /** Each kind of element with how often it is there if it acts, and each address. */
  const actingIn = (html: string) => {
    const found = new Map<string, number>();
    const walk = (node: DefaultTreeAdapterTypes.Node): void => {
      if ("tagName" in node) {
        const acting = node.attrs.filter(({ name }) => /^on|^srcdoc$|^style$/.test(name)).map(({ name }) => name);
        const goes = node.attrs.filter(({ name }) => /^(?:xlink:)?href$|^src$|^action$/.test(name)).map(({ value }) =>
          /^[#/]?[\w.-]*$/.test(value) ? "inside" : value
        );
        const name = [node.tagName, ...acting, ...goes].join(" ");
        found.set(name, (found.get(name) ?? 0) + 1);
      }
      for (const child of "childNodes" in node ? node.childNodes : []) walk(child);
    };
    walk(parse(html));
    const once = ["script", "style", "meta", "link", "form", "base"];
    return [...found].map(([name, count]) => once.includes(name) ? `${count} ${name}` : name);
  };
  for (const runs of RUNS) {
    const plain = actingIn(makePage(pageData([runs[PLAIN]!])));
    assert.ok(plain.length > 30, plain.join());
    for (const kind of kinds) {
      const brought = actingIn(makePage(pageData([runs[kind]!]))).filter((one) =>
        !plain.includes(one) && !DRAWN_BY_NAME.includes(one)
      );
      assert.deepEqual(brought, [], kind);
    }
  }
});
