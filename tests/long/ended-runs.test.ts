/** Drivers that are killed, on each runtime; `bench self --only faults` has the other signals. */
import { DRIVERS, toolTest } from "../run-bench.ts";
import { killedLeavesNothing } from "../whole-run.ts";

for (const driver of DRIVERS) {
  toolTest(
    `a driver on ${driver} that is killed leaves no server, no load generator and no builder`,
    () => killedLeavesNothing(driver),
  );
}
