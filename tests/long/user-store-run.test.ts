/** A store of one's own through a real benchmark, served beside one of the project. */
import { toolTest } from "../run-bench.ts";
import { momentaryPlan, storeBesideMap } from "../whole-run.ts";

toolTest(
  "a file is served beside a store of the project, and verify asks for nothing but the run",
  () => storeBesideMap([], (site, words) => momentaryPlan(site, words, 1_000)),
);
