import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import type { Suite } from "../../suites/suite.ts";
import { argsOf } from "./args.ts";
import type { Config } from "./config.ts";
import { optionTable } from "./option-table.ts";
import { settledFrom } from "./settle.ts";
import { parseLine } from "./read-line.ts";

const suite: Suite = {
  ...oddSuite,
  presets: { night: { title: "night", rounds: 9, threads: 5, generator: "ontime" } },
};
const TABLE = optionTable([{ suite, module: null }]);

/** The choices of a command line, `bench run` and its options, with those of a config. */
const settledOf = (suite: Suite, config: Config, ...line: string[]) => {
  const read = { config, file: "c.ts", folder: process.cwd() };
  const given = parseLine(["run", "odd", ...line]);
  return settledFrom(argsOf(given, read, TABLE, [{ suite, module: null }]), suite);
};
const settled = (config: Config, ...line: string[]) => settledOf(suite, config, ...line);

const SIX: Config = { rounds: 6, duration: "5s", generator: "h2load" };

test("the last wins: defaults, config, profile, preset, flags", () => {
  const rounds = (config: Config, ...line: string[]) => settled(config, ...line).rounds;
  assert.equal(rounds({}), 14);
  assert.equal(rounds(SIX), 6);
  assert.equal(rounds(SIX, "--quick"), 4);
  assert.equal(rounds(SIX, "--quick", "--preset", "night"), 9);
  assert.equal(rounds(SIX, "--quick", "--preset", "night", "--rounds", "2"), 2);
  assert.equal(settled(SIX).durationMs, 5_000);
  assert.equal(settled(SIX, "--thorough").durationMs, 10_000);
  assert.equal(settled(SIX, "--preset", "night").generator, "ontime");
  assert.equal(settled(SIX).generator, "h2load");
});

test("a profile or preset the config names itself is the ground for its other keys", () => {
  const ground: Config = { quick: true, preset: "night" };
  assert.equal(settled({ ...ground, rounds: 6 }).rounds, 6);
  assert.equal(settled({ ...ground, threads: 2 }).threads, 2);
  assert.equal(settled(ground).threads, 5);
  assert.equal(settled({ threads: 2 }, "--quick", "--preset", "night").threads, 5);
  assert.equal(settled({ quick: true, rounds: 6 }, "--preset", "night").rounds, 9);
});

test("rates are made in the rounds a config asks for, unless a profile after it says otherwise", () => {
  assert.equal(settled({ rounds: 8 }).aloneRounds, 8);
  assert.equal(settled({ rounds: 8 }, "--quick").aloneRounds, 1);
  assert.equal(settled({ rounds: 8, quick: true }).aloneRounds, 8);
});

test("keys of a config that a profile or preset by hand overrules are known", () => {
  const config: Config = { rounds: 6, duration: "5s", at: { "engine room": ["bun"] } };
  assert.deepEqual(settled(config).overruled, []);
  assert.deepEqual(settled(config, "--preset", "night").overruled, ["rounds"]);
  assert.deepEqual(settled(config, "--quick").overruled, ["rounds", "duration"]);
  assert.deepEqual(settled(config, "--duration", "1s").overruled, []);
  const quick: Suite = { ...suite, quick: { at: { "engine room": ["node"] } } };
  const { overruled, values } = settledOf(quick, config, "--quick");
  assert.deepEqual([overruled, values["engine room"]], [["rounds", "duration", "engine room"], ["node"]]);
});
