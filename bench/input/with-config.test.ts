import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { optionTable } from "./options.ts";
import { nodeParser } from "./parser.ts";
import { readArgs } from "./read-args.ts";
import { axisOptions } from "../core/axis-options.ts";
import { usageError } from "../basics/errors.ts";
import type { Config } from "./config.ts";
import type { ReadConfig } from "./read-config.ts";
import { withConfig } from "./with-config.ts";

const TABLE = optionTable([axisOptions(oddSuite, [])]);

const reading = (config: Config): ReadConfig => ({
  config,
  file: "c.ts",
  folder: process.cwd(),
  fault: (path, what, hint) => usageError(`c.ts: ${path.join(".")} ${what}`, hint),
});

const args = (config: Config, ...line: string[]) =>
  withConfig(readArgs(nodeParser.parse(line, TABLE), TABLE), reading(config), TABLE, [{
    suite: oddSuite,
    module: null,
  }]);

test("a config gives what the command takes and nobody gave by hand", () => {
  const config: Config = { rounds: 6, duration: "3s", slo: "p99<5ms", quick: true, at: { "items / page": [1, 100] } };
  const run = args(config, "run", "--duration", "2s");
  assert.deepEqual([run.value("rounds"), run.value("duration"), run.value("slo")], ["6", "2s", undefined]);
  assert.deepEqual([...run.axes], [["items-page", "1,100"]]);
  assert.deepEqual([...run.fromConfig].sort(), ["items-page", "quick", "rounds"]);
  assert.deepEqual([...args(config, "run", "--items-page", "1").axes], [["items-page", "1"]]);
  assert.deepEqual([...args(config, "verify").fromConfig], []);
  assert.deepEqual([...args(config, "latency").fromConfig].sort(), ["duration", "items-page", "rounds", "slo"]);
});

test("a profile by hand stands in place of the config's", () => {
  const run = args({ quick: true }, "run", "--thorough");
  assert.deepEqual([run.has("quick"), run.has("thorough")], [false, true]);
});

test("of a plan or run that is measured again a config says only where things are", () => {
  for (const again of ["--plan", "--resume"]) {
    const config: Config = { rounds: 6, results: "r", data: "d", at: { "items / page": 1 } };
    const run = args(config, "run", again, "x");
    assert.deepEqual([...run.fromConfig].sort(), ["data", "results"]);
    assert.deepEqual([...run.axes], []);
  }
});

test("axes nobody has and values no axis knows are refused with the nearest", () => {
  assert.throws(() => args({ at: { "items / pag": 1 } }, "run"), /c\.ts: at\.items \/ pag is an axis of no suite/);
  assert.throws(() => args({ at: { "items / page": ["many"] } }, "run"), /has no value "many"/);
  assert.throws(
    () => args({ modules: { nothing: { a: "./a.ts" } } }, "run"),
    /modules\.nothing is an axis of no suite/,
  );
});

test("a module has its name among values, whoever asks for it", () => {
  const modules = { "engine room": { mine: "./mine.ts" } };
  assert.deepEqual([...args({ modules, at: { "engine room": ["bun", "mine"] } }, "run").axes], [
    ["engine-room", "bun,mine=./mine.ts"],
  ]);
  assert.deepEqual([...args({ modules }, "run", "--engine-room", "mine").axes], [["engine-room", "mine=./mine.ts"]]);
});
