/** A store of one's own through a real benchmark, beside one of the project. Called in process, which costs no load generator. */
import { toolTest } from "./run-bench.ts";
import { momentaryPlan, storeBesideMap } from "./whole-run.ts";

toolTest(
  "a file is measured beside a store of the project, and verify asks for nothing but the run",
  () => storeBesideMap(["--generator", "in-process"], momentaryPlan),
);
