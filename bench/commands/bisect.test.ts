import assert from "node:assert/strict";
import { test } from "node:test";
import { argsOf } from "../options/args.ts";
import { optionTable } from "../options/option-table.ts";
import { parseLine } from "../options/read-line.ts";
import { SUITES } from "../../suites/registry.ts";
import { bisectQuestion } from "./bisect.ts";

const TABLE = optionTable(SUITES.map((suite) => ({ suite, module: null })));
const LINE = "bisect users map/10k --good bun@1.2.0 --bad bun@1.3.0";

const questionOf = (more = "", question = "map/10k") => {
  const words = `${LINE} ${more}`.trim().split(" ");
  return bisectQuestion(argsOf(parseLine(words), null, TABLE, []), { question });
};

test("whatever changes what a step of a bisection measures is another question; where it is kept and told is none", () => {
  const other = ["--quick", "--rounds 4", "--rounds 5", "--warmup 2s", "--seed 7", "--timeout 3s", "--connections 10"];
  const all = [questionOf(), questionOf("", "map/1m"), ...other.map((more) => questionOf(more))];
  assert.equal(new Set(all).size, all.length);
  for (
    const more of ["--json", "--results elsewhere", "--data elsewhere", "--verbose", "--no-config"]
  ) {
    assert.equal(questionOf(more), questionOf(), more);
  }
  assert.equal(questionOf("--connections 10 --rounds 4"), questionOf("--rounds 4 --connections 10"));
  assert.equal(questionOf("--connections 10 --workload read"), questionOf("--workload read --connections 10"));
});
