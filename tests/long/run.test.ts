/** A whole run over all runtimes and two stores: no digit of it can be changed unseen. */
import { exitOf, undisturbed } from "../contended.ts";
import { assertNoDigitOnDiskIsFree } from "../digits.ts";
import { toolTest } from "../run-bench.ts";
import { smallRun } from "../small-run.ts";
import { assertSound } from "../whole-run.ts";

toolTest(
  "a small run over all runtimes publishes sound cells, files and figures that nobody can change",
  () => smallRun({ count: 7, sound: undisturbed, exitOf, check: assertSound, look: assertNoDigitOnDiskIsFree }),
);
