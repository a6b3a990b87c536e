/** The example of docs/adding-a-suite.md runs in all it has. */
import { MAIN } from "../../bench/record/cell.ts";
import { documentedSuiteRuns } from "../documented-suite.ts";
import { toolTest } from "../run-bench.ts";

toolTest(
  "the documented suite is under 40 lines, touches the registry alone, and runs in both forms",
  () => documentedSuiteRuns(({ label }) => label === MAIN, ["json/bun", "text/bun"]),
);
