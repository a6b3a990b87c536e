/** All that pages of audits say, from one made-up audit that its tests share, so it is longer than others. */
import assert from "node:assert/strict";
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { mark } from "../../bench/record/mark.ts";
import { acrossMachines } from "../../bench/result/across-machines.ts";
import { isJudged } from "../../bench/record/verdicts.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
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
  withMeasured,
} from "./audit.ts";
import { bytesOf, MOST_KEPT_BYTES } from "./kept-bytes.ts";
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

const SOURCE = { page: "https://example.com/a", copy: null, read: "2026-11-27" };
const AT_COMMIT = `https://github.com/a/b/blob/${"0123456789".repeat(4)}/c.md`;

const auditOf = (name: string, claims: readonly Claim[]): Audit => ({
  ...{ name, title: `About ${name}`, source: SOURCE },
  changes: [{ date: "2026-11-27", what: "Written." }, { date: "2026-11-28", what: "Measured." }],
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
  const { started_at, levelfield: { git_commit } } = files.run, day = started_at.slice(0, 10);
  assert.ok(written.includes(`**Version 2**, 2026-11-28. Measured last on ${day}`), written);
  assert.ok(git_commit === null || written.includes(`at commit ${git_commit.slice(0, 8)}.`), written);
  assert.match(written, /\n- Version 2, 2026-11-28: Measured\.\n- Version 1, 2026-11-27: Written\.\n/);
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
  assert.doesNotMatch(open, /results\/|\[\d/);
  const few = auditPage(PAGE, audit, () => [filesOf(makeFixture({ rounds: 1 }))]);
  // Without a verdict its rates are no figures either.
  assert.match(few, /\| – \([^|]+\) \| – \| – \| [^|]+ \| cannot be told \|/);
  const untold = { date: "2026-11-29", why: "others had the core" };
  const tried = auditPage(PAGE, { ...audit, runs: [{ ...audit.runs[0]!, untold }] }, () => []);
  assert.match(tried, /\| tried, no answer \|\n\nTried on 2026-11-29, without an answer: others had the core\.\n/);
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
  assert.deepEqual(readdirSync(kept).sort(), ["SHA256SUMS", "cells", "journal.ndjson.gz", "run.json", "summary.json"]);
  assert.ok(bytesOf(kept) < bytesOf(made));
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

test("a page says where figures were read, and the copy they were read from or that none is known", () => {
  const source = { ...SOURCE, copy: AT_COMMIT };
  const claims = [claimOf("bun", "node", 1.34), { ...claimOf("bun", "node", 2), text: "another", source }];
  const written = auditPage(PAGE, auditOf("one", claims), () => []);
  assert.ok(written.includes("\nRead on 2026-11-27 from [example.com/a](https://example.com/a); no copy known.\n"));
  assert.ok(
    written.includes(
      `another: read on 2026-11-27 from [example.com/a](https://example.com/a), as in [a/b at commit 0123456](${AT_COMMIT}).`,
    ),
  );
  assert.match(written, /\*\*Version 2\*\*, 2026-11-28\. Not measured yet\./);
});

test("runs of one day and kind of CPU are one change, others are further ones", () => {
  const on = (cpuKind: string, date = "2026-11-28") => ({ cpuKind, date }),
    first = { changed: null },
    more = { changed: "more" };
  const written = [{ date: "2026-11-27", what: "Written." }];
  const one = withMeasured(withMeasured(withMeasured(written, first, on("a")), more, on("a")), first, on("a"));
  assert.deepEqual(one.slice(1), [{ date: "2026-11-28", what: "Measured on a: more; as published." }]);
  assert.equal(withMeasured(one, first, on("b")).length, 3);
  assert.equal(withMeasured(one, first, on("a", "2026-11-29")).length, 3);
});

test("a claim whose interval leaves out 1 and is open says why, and a small gain's share is told in times", () => {
  const files = filesOf(makeFixture()), claim = claimOf("bun", "node", 1.05);
  const open = structuredClone(files);
  for (const family of open.summary.families) {
    family.comparisons = family.comparisons.map((one) =>
      isJudged(one) ? { ...one, verdict: "not-separable", delta: 0.5 } : one
    );
  }
  const lineOf = (each: typeof files) => auditPage(PAGE, auditOf("one", [claim]), () => [each]);
  assert.match(
    lineOf(open),
    /^Not decided on .+, bun over node: the interval leaves out 1, but two copies .+ up to 50\.0 % /m,
  );
  assert.doesNotMatch(lineOf(files), /Not decided|Not alike/);
  const far = structuredClone(files);
  far.summary.answer = { ...far.summary.answer, none: null, conditions: "1 calls at once" };
  far.cells.forEach((one) => one.requests_per_second! *= one.cell.point.at["runtime"] === "bun" ? 2 : 1);
  far.cells.forEach((one) => one.bound = "server");
  assert.match(lineOf(far), /^Not alike on .+, bun over node: the rates of both alone are 2\..+ ×.+\.$/m);
  assert.match(lineOf(far), /^Valid for one call at a time\. /m);
  const limited = structuredClone(far);
  limited.cells.forEach((one) => one.bound = "generator");
  assert.doesNotMatch(lineOf(limited), /^Not alike/m);
  assert.match(lineOf(limited), /\] \| – \| /, "a lower bound is no rate");
  const both = auditPage(PAGE, auditOf("one", [claim]), () => [files, files]);
  assert.match(both, /\n\| bun over node \| .*\n\| {2}\| {2}\| 1\.\d+ × \[/);
  assert.match(lineOf(files), /\| \d\.\d times \|/);
  assert.match(auditPage(PAGE, auditOf("one", [claimOf("node", "bun", 1.05)]), () => [files]), /\| none \|/);
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
  assert.match(index, /\n- \[About holds\]\(holds\.md\): holds 1\n- .+: smaller here 1\n- .+: not yet measured\n/);
  assert.match(index, /without such a run yet:\n\n- \[About open\]\(open\.md\)$/m);
  assert.doesNotMatch(indexPage(PAGE, listed, () => [files]), /without such a run/);
  const further = { ...listed[0]!, runs: [listed[0]!.runs[0]!, { ...listed[1]!.runs[0]!, changed: "more" }] };
  const only = indexPage(PAGE, [further], ({ name }) => name === "open" ? [] : [files]);
  assert.match(only, /\| \[About open\]\(open\.md\): bun over node \(more\) \|[^]*- \[About open\]/);
});

test("each audit cites its source, names files that are there, and has the better side first", () => {
  assert.ok(audits.length >= 10);
  assert.equal(new Set(runs.map(({ name }) => name)).size, runs.length);
  for (const { name, packages, changes, runs: [first, ...further] } of audits) {
    if (packages !== undefined) assert.ok(existsSync(join(PROJECT_ROOT, packages, "package-lock.json")), name);
    assert.equal(first!.changed, null, name);
    assert.deepEqual(changes.map(({ date }) => date), changes.map(({ date }) => date).sort(), name);
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

/** Kept runs that are larger than one may be: with the whole replies of 64 requests. */
const LARGE = ["audit-live-heap"];

test("each kept run is true to its raw lines, belongs to an audit, and has both sides of each claim", () => {
  const kept = readdirSync(RESULTS).filter((name) => name.startsWith("audit-"));
  const known = new Set(runs.flatMap((run) => keptFolders(run).map((folder) => basename(folder))));
  assert.deepEqual(kept.filter((name) => !known.has(name)), []);
  for (const run of runs) {
    const { changes } = audits.find((audit) => audit.runs.includes(run))!;
    for (const folder of keptFolders(run)) {
      assert.deepEqual(verify(folder).faults, [], folder);
      assert.ok(bytesOf(folder) <= MOST_KEPT_BYTES || LARGE.includes(basename(folder)), `${folder}: too large`);
      const { started_at, machine } = readPublishedRun(folder).run, day = started_at.slice(0, 10);
      const said = changes.filter(({ what }) => what.startsWith(`Measured on ${machine.cpu_kind}: `));
      assert.ok(said.some(({ date }) => date >= day), `${folder}: no change of its audit says that it was measured`);
    }
    const kinds = readKept(run), across = acrossMachines(kinds);
    assert.ok(
      kinds.length < 2 || !("cause" in across),
      `${run.name}: bench report says nothing across its kinds of CPU`,
    );
    for (const { summary } of kinds) {
      for (const claim of run.claims) assert.ok(foundIn(summary, claim), `${run.name}: ${claim.text}`);
    }
  }
});
