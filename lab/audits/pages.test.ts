import assert from "node:assert/strict";
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { mark } from "../../bench/record/mark.ts";
import { verify } from "../../bench/runs/verify-run.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { folderTest } from "../../tests/testing.ts";
import { isSettled, keep, measureAll, pagesOf, runsOf, STOPPED } from "../audits.ts";
import {
  type Audit,
  auditFolder,
  type AuditRun,
  auditSchema,
  type Claim,
  keptFolders,
  publishedRatio,
  readAudits,
} from "./audit.ts";
import { newAudit } from "./new-audit.ts";
import { auditPage, foundIn, heldAgainst, indexPage, readKept } from "./pages.ts";

const audits = readAudits();
const runs = audits.flatMap((audit) => audit.runs);
const RESULTS = join(PROJECT_ROOT, "results");

const PAGE = "# A\n\n<!-- audit:begin -->\nstale\n<!-- audit:end -->\n\nThe rest.\n";
const AT = { store: "map", size: 10_000 };

const claimOf = (over: string, under: string, ratio: number): Claim => ({
  ...{ text: `${over} over ${under}`, over: { ...AT, runtime: over }, under: { ...AT, runtime: under } },
  ...{ published: [ratio, 1], unit: "×", better: "higher", of: "speed" },
});

const auditOf = (name: string, claims: readonly Claim[]): Audit => ({
  ...{ name, title: `About ${name}` },
  set_up: {
    ...{ measured: ["requests a second", "CPU time"], cores: ["not given", "one"], load: ["50", "50"] },
    ...{ payload: ["hello", "hello"], versions: ["not given", "as below"] },
  },
  runs: [{ name, changed: null, words: ["users", "--request", "GET /"], claims: [...claims] }],
});

test("a page says what its run says, a claim turned round is refuted, and the rest stays", () => {
  const files = filesOf(makeFixture());
  const unlike = { ...claimOf("bun", "node", 1.34), unlike: "another load" };
  const claims = [claimOf("bun", "node", 1.34), claimOf("bun", "node", 3), claimOf("node", "bun", 1.34), unlike];
  const audit = auditOf("one", [...claims, claimOf("bun", "iojs", 2)]);
  const written = auditPage(PAGE, audit, () => [files]);
  const answers = [...written.matchAll(/\| ([^|]+) \|$/gm)].map(([, answer]) => answer)
    .filter((answer) => /hold|here|told|alike/.test(answer!) && answer !== "here");
  assert.deepEqual(answers, ["holds", "smaller here", "reversed here", "not measured alike", "cannot be told"]);
  assert.match(written, /\| measured \| requests a second \| CPU time \|/);
  assert.match(written, /^Not alike, bun over node: another load\.$/m);
  const { ratio, interval } = foundIn(files.summary, claims[0]!)!;
  assert.ok(
    written.includes(`${ratio!.toFixed(2)} × [${interval!.low.toFixed(2)}–${interval!.high.toFixed(2)}]`),
    written,
  );
  assert.ok(written.includes("`bin/bench run users --request 'GET /'`"), written);
  assert.ok(written.includes("results/audit-one") && written.includes(files.run.grade.grade), written);
  assert.ok(written.startsWith("# A\n\n<!--") && written.endsWith("\n\nThe rest.\n") && !written.includes("stale"));
  assert.equal(auditPage(written, audit, () => [files]), written);
  assert.throws(() => auditPage("# A\n", audit, () => [files]), /audit:begin/);
});

test("without a run nothing is said to be measured, and a comparison without a verdict says why", () => {
  const audit = auditOf("one", [claimOf("bun", "node", 1.34)]);
  const open = auditPage(PAGE, audit, () => []);
  assert.match(open, /\| 1\.34 × \| – \| – \| – \| – \| not yet measured \|/);
  assert.doesNotMatch(open, /results\/|\[/);
  const few = auditPage(PAGE, audit, () => [filesOf(makeFixture({ rounds: 1 }))]);
  assert.match(few, /\| – \(.+\) \| .* \| cannot be told \|/);
});

folderTest("a run is kept if it answers a claim and follows from its raw lines, with no needless file", (folder) => {
  const [made, kept] = [join(folder, "made"), join(folder, "kept")];
  cpSync(join(RESULTS, "reference-drivers-amd-26-2"), made, { recursive: true });
  appendFileSync(join(made, "report.html"), "a page");
  const claimOn = (driver: string): Claim => ({
    ...claimOf("", "", 1.5),
    ...{ over: { driver, runtime: "node" }, under: { driver: "drizzle-postgres", runtime: "node" } },
  });
  const [told] = auditOf("one", [claimOn("none"), claimOn("pg")]).runs;
  const [untold] = auditOf("one", [claimOn("none")]).runs;
  assert.match(keep(untold!, made, kept)!, /answers no claim/);
  assert.ok(!existsSync(kept));
  assert.equal(keep(told!, made, kept), null);
  assert.deepEqual(verify(kept).faults, []);
  assert.deepEqual(readdirSync(kept).sort(), ["SHA256SUMS", "cells", "journal.ndjson", "run.json", "summary.json"]);
  appendFileSync(join(made, "journal.ndjson"), "{}\n");
  assert.notEqual(keep(told!, made, kept), null);
  assert.deepEqual(verify(kept).faults, []);
});

test("a comparison without a verdict answers if a server is the reason, and not if the machine is", () => {
  const [code, other] = [mark("cost-grows", "grows"), mark("foreign-cpu", "others")];
  const without = {
    over: "a",
    under: "b",
    basis: "together",
    verdict: "no-verdict",
    ratio: null,
    interval: null,
  } as const;
  assert.equal(isSettled({ ...without, marks: [other, code] }), true);
  assert.equal(isSettled({ ...without, marks: [other] }), false);
  assert.equal(isSettled(undefined), false);
});

test("first and missing runs alone are measured; an audit that fails stops no other, Ctrl-C all that follow", () => {
  const claims = [claimOf("bun", "node", 1.34)];
  const one = (name: string): Audit => {
    const { runs: [first], ...audit } = auditOf(name, claims);
    return { ...audit, runs: [first!, { ...first!, name: `${name}-more`, changed: "more" }] };
  };
  const [kept, broken, missing] = ["kept", "broken", "missing"].map(one), done: string[] = [];
  const isKept = ({ name }: AuditRun) => name === "kept";
  const names = (left: Parameters<typeof runsOf>[1]) => runsOf(kept!, left, isKept).map(({ name }) => name);
  assert.deepEqual([names({ missing: true }), names({ first: true })], [["kept-more"], ["kept"]]);
  const left = [kept!, broken!, missing!].map((audit) =>
    [audit, runsOf(audit, { first: true, missing: true }, isKept)] as const
  );
  const { measured, failed } = measureAll(left, {
    install: ({ name }) => (done.push(name), name === "broken" ? "no package" : null),
    measure: () => null,
  });
  assert.deepEqual([done, measured.map(({ name }) => name)], [["broken", "missing"], ["missing"]]);
  assert.deepEqual(failed, ["broken: no package"]);
  const ends = measureAll([[missing!, missing!.runs]], {
    install: () => null,
    measure: ({ changed }) => changed === null ? "it ended" : null,
  });
  assert.deepEqual([ends.failed, ends.measured.length], [["missing: it ended"], 1]);
  const stopped = measureAll([[kept!, kept!.runs], [missing!, missing!.runs]], {
    install: () => null,
    measure: ({ name }) => name === "kept-more" ? STOPPED : null,
  });
  assert.deepEqual([stopped.measured.map(({ name }) => name), stopped.failed.length], [["kept"], 1]);
});

test("the index begins with what does not hold, and lists audits without a run below", () => {
  const files = filesOf(makeFixture());
  const listed = [
    auditOf("open", [claimOf("bun", "node", 1.34)]),
    auditOf("holds", [claimOf("bun", "node", 1.34)]),
    auditOf("refuted", [claimOf("node", "bun", 1.34)]),
    auditOf("kind", [claimOf("bun", "node", 3)]),
  ];
  const index = indexPage(PAGE, listed, ({ name }) => name === "open" ? [] : [files]);
  const order = [...index.matchAll(/\]\((\w+)\.md\).* \| ([\w ]+) \|$/gm)].map(([, name, answer]) =>
    `${name} ${answer}`
  );
  assert.deepEqual(order, ["refuted reversed here", "kind smaller here", "holds holds"]);
  assert.match(index, /without such a run yet:\n\n- \[About open\]\(open\.md\)$/m);
  assert.doesNotMatch(indexPage(PAGE, listed, () => [files]), /without such a run/);
  const further = { ...listed[0]!, runs: [listed[0]!.runs[0]!, { ...listed[1]!.runs[0]!, changed: "more" }] };
  const only = indexPage(PAGE, [further], ({ name }) => name === "open" ? [] : [files]);
  assert.match(only, /\| \[About open\]\(open\.md\): bun over node \(more\) \|[^]*- \[About open\]/);
});

test("each audit cites its source, names files that are there, and has the better side first", () => {
  assert.ok(audits.length >= 10);
  assert.equal(new Set(runs.map(({ name }) => name)).size, runs.length);
  for (const { name, packages, runs: [first, ...further] } of audits) {
    if (packages !== undefined) assert.ok(existsSync(join(PROJECT_ROOT, packages, "package-lock.json")), name);
    assert.equal(first!.changed, null, name);
    assert.ok(further.every(({ changed }) => changed !== null), name);
    const page = readFileSync(join(PROJECT_ROOT, "docs", "audits", `${name}.md`), "utf8");
    assert.match(page, /\]\(https:\/\//, name);
    for (const file of readdirSync(auditFolder(name)).filter((file) => /\.(json|ts|mjs)$/.test(file))) {
      assert.doesNotMatch(page + readFileSync(join(auditFolder(name), file), "utf8"), /\bFILL\b/, `${name}/${file}`);
    }
    for (const { words, claims } of [first!, ...further]) {
      const files = words.filter((word) => word.startsWith("examples/"));
      for (const file of files) assert.ok(existsSync(join(PROJECT_ROOT, file)), `${name}: ${file}`);
      for (const claim of claims) {
        assert.ok(publishedRatio(claim)[0] > 1, `${name}: ${claim.text}: the better side is the first`);
        assert.notDeepEqual(claim.over, claim.under, name);
      }
    }
    assert.ok(readdirSync(auditFolder(name)).length > 1, name);
  }
});

folderTest(
  "a new audit has the files and parts that tests ask for, with its places to fill, and is written once",
  (root) => {
    const [claims, config, page] = newAudit("a-b", root).map((path) => readFileSync(join(root, path), "utf8"));
    const audit = { name: "a-b", ...auditSchema.parse(JSON.parse(claims!)) };
    for (const text of [claims, config, page]) assert.match(text!, /\bFILL\b/);
    assert.match(
      auditPage(page!, audit, () => []),
      /\| FILL: the better side over the other \| 2\.00 × .*not yet measured/,
    );
    assert.equal(page!.match(/^\| FILL: objection/gm)!.length, 5);
    assert.throws(() => newAudit("a-b", root), /claims\.json" is there already/);
    assert.throws(() => newAudit("../b", root), /no name of an audit/);
  },
);

test("each page of docs/audits says what its runs say (else: node lab/audits.ts --pages)", () => {
  for (const { path, before, after } of pagesOf(audits)) assert.equal(before, after, path);
});

test("README's first screen has audits that were measured alike, on two kinds of CPU, with the figures of their runs", () => {
  const [screen] = readFileSync(join(PROJECT_ROOT, "README.md"), "utf8").split("<!-- results:begin -->");
  const linked = [...screen!.matchAll(/\(docs\/audits\/([a-z0-9-]+)\.md\)/g)].map(([, name]) => name!);
  assert.ok(screen!.includes("(docs/audits/README.md)") && linked.length > 0);
  for (const name of linked) {
    const [first] = audits.find((audit) => audit.name === name)!.runs;
    const kept = readKept(first!);
    assert.ok(kept.length > 1, name);
    for (const claim of first!.claims.slice(0, 1)) {
      for (const files of kept) {
        const { verdict, ratio } = heldAgainst(claim, files);
        assert.notEqual(verdict, "not measured alike", name);
        assert.ok(screen!.includes(`${ratio!.toFixed(1)} ×`), `${name}: ${ratio} on ${files.run.machine.cpu_kind}`);
      }
    }
  }
});

test("each kept run is true to its raw lines, belongs to an audit, and has both sides of each claim", () => {
  const kept = readdirSync(RESULTS).filter((name) => name.startsWith("audit-"));
  const known = new Set(runs.flatMap((run) => keptFolders(run).map((folder) => basename(folder))));
  assert.deepEqual(kept.filter((name) => !known.has(name)), []);
  for (const run of runs) {
    for (const folder of keptFolders(run)) assert.deepEqual(verify(folder).faults, [], folder);
    for (const { summary } of readKept(run)) {
      for (const claim of run.claims) assert.ok(foundIn(summary, claim), `${run.name}: ${claim.text}`);
    }
  }
});
