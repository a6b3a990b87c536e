/** The example of docs/adding-a-suite.md runs; both of its forms with --all. */
import { MAIN } from "../bench/record/cell.ts";
import { documentedSuiteRuns } from "./documented-suite.ts";
import { toolTest } from "./run-bench.ts";

toolTest(
  "the documented suite is under 40 lines, touches the registry alone, and runs",
  () => documentedSuiteRuns(({ label, point }) => label === MAIN && point.at["form"] === "json", ["json/bun"]),
);
