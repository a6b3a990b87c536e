import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { argsOf } from "./args.ts";
import { GATE_PROFILE, PROFILES } from "../plan/profile.ts";
import { leastForMedianInterval } from "../statistics/median.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { optionsOfCommand, optionsWithPlan, optionTable, placeOptions } from "./option-table.ts";
import { InputError } from "./origin.ts";
import { commandNamed, parseLine } from "./read-line.ts";
import type { Config } from "./config.ts";

const TABLE = optionTable([{ suite: oddSuite, module: null }]);

const args = (config: Config, ...line: string[]) =>
  argsOf(parseLine(line), { config, file: "c.ts", folder: process.cwd() }, TABLE, [{
    suite: oddSuite,
    module: null,
  }]);

const ofConfig = (config: Config, ...line: string[]) => {
  const made = args(config, ...line);
  return TABLE.map(({ name }) => name).filter((name, n, all) => all.indexOf(name) === n && made.from(name) === "config")
    .sort();
};

test("a config gives what the command takes and nobody gave by hand", () => {
  const config: Config = { rounds: 6, duration: "3s", slo: "p99<5ms", quick: true, at: { "items / page": [1, 100] } };
  const run = args(config, "run", "--duration", "2s");
  assert.deepEqual([run.get("rounds"), run.get("duration"), run.has("slo")], [6, 2_000, false]);
  assert.deepEqual(run.axes(), [["items-page", ["1", "100"]]]);
  assert.deepEqual(ofConfig(config, "run", "--duration", "2s"), ["items-page", "quick", "rounds"]);
  assert.deepEqual(args(config, "run", "--items-page", "1").axes(), [["items-page", ["1"]]]);
  assert.deepEqual(ofConfig(config, "verify"), []);
  assert.deepEqual(ofConfig(config, "latency"), ["duration", "items-page", "quick", "rounds", "slo"]);
});

test("a profile by hand stands in place of the config's", () => {
  const run = args({ quick: true }, "run", "--thorough");
  assert.deepEqual([run.has("quick"), run.has("thorough")], [false, true]);
});

test("of a plan or run that is measured again a config says only where things are", () => {
  for (const again of ["--plan", "--resume"]) {
    const config: Config = { rounds: 6, results: "r", data: "d", at: { "items / page": 1 } };
    assert.deepEqual(ofConfig(config, "run", again, "x"), ["data", "results"]);
    assert.deepEqual(args(config, "run", again, "x").axes(), []);
  }
});

test("axes nobody has and values no axis knows are refused with the nearest", () => {
  assert.throws(() => args({ at: { "items / pag": 1 } }, "run"), /c\.ts: "at\.items \/ pag": is an axis of no suite/);
  assert.throws(() => args({ at: { "items / page": ["many"] } }, "run"), /has no value "many"/);
  assert.throws(
    () => args({ modules: { nothing: { a: "./a.ts" } } }, "run"),
    /"modules\.nothing": is an axis of no suite/,
  );
});

test("an error knows where its value was given", () => {
  const origin = (make: () => unknown) => {
    try {
      make();
    } catch (error) {
      assert.ok(error instanceof InputError, String(error));
      return [error.origin, error.message];
    }
    throw new Error("it was accepted");
  };
  assert.deepEqual(origin(() => args({}, "run", "--rounds", "0")), [
    { from: "flag", option: "rounds" },
    '--rounds "0" is no whole number from 1 to 1000',
  ]);
  assert.deepEqual(
    origin(() => args({}, "run", "--generator", "foo"))[1],
    '--generator "foo" is none of wrk, ontime, h2load, connect, websocket, in-process',
  );
  assert.deepEqual(origin(() => args({ rounds: 500 }, "latency")), [
    { from: "config", file: "c.ts", path: ["rounds"] },
    'c.ts: "rounds": 500 is no whole number from 1 to 100',
  ]);
});

test("each command has the default its row says", () => {
  assert.deepEqual(["explain"].map((command) => args({}, command).get("rounds")), [3]);
  assert.equal(args({}, "run").get("rounds"), undefined);
  assert.equal(args({}, "gate").get("limit"), 0.03);
  assert.equal(args({}, "serve").get("port"), 8080);
});

test("ranges and defaults in the table are those that decide", () => {
  const row = (command: string) => optionsOfCommand(commandNamed(command)!).find(({ name }) => name === "rounds")!;
  assert.equal(row("run").otherwise, String(PROFILES.default.rounds));
  assert.equal(row("gate").otherwise, String(GATE_PROFILE.rounds));
  assert.match(row("latency").otherwise!, new RegExp(`^${leastForMedianInterval(0.95)}, or as many as`));
  const least = thresholds.leastRounds.value;
  assert.equal(args({}, "gate", "--rounds", String(least)).get("rounds"), least);
  assert.throws(() => args({}, "gate", "--rounds", String(least - 1)), /is no whole number from 3 to 1000/);
});

test("modules a config names are values of their axis, whoever asks for them", () => {
  const modules = { "engine room": { mine: "./mine.ts" } };
  const config: Config = { modules, at: { "engine room": ["bun", "mine"] } };
  assert.deepEqual(args(config, "run").axes(), [["engine-room", ["bun", "mine"]]]);
  assert.deepEqual(args({ modules }, "run", "--engine-room", "mine").axes(), [["engine-room", ["mine"]]]);
});

test("a stored plan may be given with folders, output and places, and a run that goes on with the first two alone", () => {
  const names = (options: ReturnType<typeof optionsWithPlan>) => options.map(({ name }) => name).sort();
  const run = commandNamed("run")!;
  const output = ["data", "dry-run", "json", "prepare", "results", "trust", "yes"];
  const common = optionsOfCommand(run).filter(({ of }) => of === "every").map(({ name }) => name);
  assert.deepEqual(names(optionsWithPlan(run, false)), [...output, ...common].sort());
  const places = ["load-cpus", "load-host", "server-address", "server-cpus", "server-host"];
  const ofRun = [...places, "force-workers", "service-address", "service-host"].sort();
  assert.deepEqual(names(optionsWithPlan(run, true)), [...names(optionsWithPlan(run, false)), ...ofRun].sort());
  assert.deepEqual([names(placeOptions(run)), names(placeOptions(commandNamed("reproduce")!))], [ofRun, places]);
});
