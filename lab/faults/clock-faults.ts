import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Observation } from "../../bench/record/observation-record.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup } from "./fault.ts";
import { withPreload } from "./preloaded.ts";
import { commandOf, harmIn, linesIn, marksOf, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { expectEnd } from "./stage.ts";
import { runIn, windowIsOpen } from "./steps.ts";

export const HOUR_MS = 3_600_000;

/**
 * A program that sets the wall clock of its process ahead: the machine's is not ours to set.
 *
 * @param ahead an expression for milliseconds, evaluated each time
 */
export const clockAhead = (ahead: string): string => `
import { existsSync, readFileSync } from "node:fs";
const True = Date;
globalThis.Date = class Date extends True {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
  static now() {
    return True.now() + ${ahead};
  }
};
`;

/** The milliseconds in a file, which may change; none where it is not there. */
const inFile = (file: string) =>
  `(existsSync(${JSON.stringify(file)}) ? Number(readFileSync(${JSON.stringify(file)}, "utf8")) : 0)`;

const JUMPS: readonly (readonly [name: string, injected: string, ms: number])[] = [
  ["clock-ahead", "set ahead by an hour", HOUR_MS],
  ["clock-back", "set back by an hour", -HOUR_MS],
  ["clock-second", "moved by a second, as by a time server", 1_000],
];

/** The wall clock of the bench moves inside a window: that step has a mark, the one after it has none. */
export const CLOCK_FAULTS: readonly BenchFault[] = ofGroup(
  "clocks",
  JUMPS.map(([name, injected, ms]): FaultRow => ({
    name,
    injected: `the clock of the bench ${injected} inside a window`,
    expected: "that step marked clock-changed, the next one measured",
    async inject(stage) {
      const file = join(stage.folder, "ahead");
      const command = commandOf(stage, await planOf([SOUND, SOUND_TOO]));
      const running = stage.start(command, withPreload(stage, clockAhead(inFile(file))));
      await stage.until("a window", () => windowIsOpen(stage));
      // Counters are read once before the load and once after it.
      await sleep(300);
      writeFileSync(file, String(ms));
      expectEnd(await running.ended, 3, /results in/, "the run");
      const [first, second] = linesIn(runIn(stage)!).map((line): Observation => JSON.parse(line));
      if (first === undefined || second === undefined) throw new Missed("a step is missing");
      const marks = marksOf(first);
      if (!marks.some(({ code, text }) => code === "clock-changed" && text.includes("moved by"))) {
        throw new Missed(`the step was marked ${marks.map(({ text }) => text).join("; ") || "nothing"}`);
      }
      const harm = harmIn(second);
      if (harm !== undefined) throw new Missed(`the next step is marked: ${harm.text}`);
      await stage.expect(["verify", runIn(stage)!], 0, /all published figures follow/);
    },
  })),
);
