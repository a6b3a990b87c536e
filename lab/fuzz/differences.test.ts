import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { differencesPage } from "./differences-page.ts";
import {
  differenceText,
  differs,
  explanationOf,
  isKnownFault,
  type KnownDifference,
  type Outcomes,
} from "./differences.ts";
import { KNOWN_DIFFERENCES, KNOWN_FAULTS } from "./known-differences.ts";
import { MUTATIONS, PLAIN } from "./make-exchange.ts";

const PAGE = fileURLToPath(new URL("../../docs/experiments/parser-differences.md", import.meta.url));

const outcomes = (node: string, deno: string, bun: string, bodies: readonly number[] = [1, 1, 1]): Outcomes => ({
  node: { text: node, bodies: bodies[0]! },
  deno: { text: deno, bodies: bodies[1]! },
  bun: { text: bun, bodies: bodies[2]! },
});

test("runtimes differ by status or by body", () => {
  assert.equal(differs(outcomes("200", "200", "200")), false);
  assert.equal(differs(outcomes("200", "200", "404")), true);
  assert.equal(differs(outcomes("200", "200", "200", [1, 1, 2])), true);
  assert.equal(differs({}), false);
  assert.equal(differenceText(outcomes("200", "400", "closed")), "node 200, deno 400, bun closed");
  assert.equal(differenceText(outcomes("200", "200", "200", [1, 2, 1])), "node 200, deno 200, bun 200, bodies differ");
});

test("an entry explains what it names, and those who hand a request on must agree", () => {
  const entry: KnownDifference = {
    of: ["path: dots"],
    apps: ["one", "two"],
    answers: { node: "400|closed", deno: "app", bun: "app|any 1" },
    why: "",
  };
  const explains = (given: Outcomes, mutation = "path: dots", app = "suite one") =>
    explanationOf([entry], app, mutation, given) === entry;
  assert.equal(explains(outcomes("400", "200", "200")), true);
  assert.equal(explains(outcomes("closed", "404", "404", [5, 7, 7])), true);
  assert.equal(explains(outcomes("400", "200", "404")), false);
  assert.equal(explains(outcomes("400", "200", "200", [1, 2, 3])), false);
  assert.equal(explains(outcomes("500", "200", "200")), false);
  assert.equal(explains(outcomes("400", "200", "200"), "path: space"), false);
  assert.equal(explains(outcomes("400", "200", "200"), "path: dots", "suite three"), false);
  const loose = { ...entry, answers: { ...entry.answers, deno: "any" } };
  assert.equal(explanationOf([loose], "one", "path: dots", outcomes("400", "200", "404")), loose);
});

test("odd signs beside an escape that is not UTF-8 may stay as they came on Deno alone", () => {
  const explains = (bodies: readonly number[]) =>
    explanationOf(KNOWN_DIFFERENCES, "routes greet", "path: odd signs", outcomes("200", "200", "200", bodies));
  assert.ok(explains([1, 2, 1]));
  assert.equal(explains([1, 1, 2]), undefined);
});

test("the list names mutations there are, says why, and lets nobody answer with a 5xx but 501 and 505", () => {
  for (const { of, answers, why } of KNOWN_DIFFERENCES) {
    assert.ok(of.length > 0 && why.length > 20, of.join());
    for (const name of of) assert.ok(name in MUTATIONS, name);
    for (const runtime of RUNTIME_NAMES) {
      const words = answers[runtime].split("|");
      for (const word of words) {
        assert.match(word, /^(app|any|closed|begun|broken|(waits )?((\d{3}|\*|closed)( |$))+)$/, word);
      }
      assert.doesNotMatch(answers[runtime], /50[02-46-9]|5[1-9]\d/);
    }
  }
  assert.ok(!KNOWN_DIFFERENCES.some(({ of }) => of.includes(PLAIN)));
});

test("a known fault is one app's, of some requests", () => {
  assert.equal(isKnownFault(KNOWN_FAULTS, "frameworks oak", "path: broken percent-encoding"), true);
  assert.equal(isKnownFault(KNOWN_FAULTS, "frameworks oak", PLAIN), false);
  assert.equal(isKnownFault(KNOWN_FAULTS, "frameworks hono", "path: broken percent-encoding"), false);
  for (const { of } of KNOWN_FAULTS) for (const name of of) assert.ok(name in MUTATIONS, name);
});

test("docs/experiments/parser-differences.md shows the list (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)", () => {
  const page = differencesPage(KNOWN_DIFFERENCES, KNOWN_FAULTS);
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(PAGE, page);
  assert.equal(readFileSync(PAGE, "utf8"), page);
});
