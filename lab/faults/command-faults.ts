import { type BenchFault, type Group, saysText } from "./fault.ts";
import { FAULTY_SUITE, fileIn, finishedRun } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";

type Args = readonly string[];

/**
 * A command that has to end with a code and say something in its last lines. Words of the command in braces stand for what
 * is made for it: see {@link PLACES}.
 */
export type CommandRow = readonly [
  name: string,
  injected: string,
  code: number | readonly number[],
  says: RegExp,
  command: string | ((stage: Stage) => Args | Promise<Args>),
  wish?: (stage: Stage) => Wish,
];

/** The values of words in braces; any other is the name of a finished run that is made. */
const PLACES: Readonly<Record<string, (stage: Stage) => string>> = {
  suite: () => FAULTY_SUITE,
  folder: ({ folder }) => folder,
  file: fileIn,
};

const argsOf = (command: string, stage: Stage): string[] =>
  command.split(" ").map((word) =>
    word.replace(/\{([\w-]+)\}/, (_, name) => PLACES[name]?.(stage) ?? finishedRun(stage, name))
  );

/**
 * Faults that are found when a command ends as its row says.
 *
 * @param quick names of those the gate tries
 */
export function commandFaults(
  group: Group,
  rows: readonly CommandRow[],
  quick: readonly string[] = [],
  more: Partial<BenchFault> = {},
): BenchFault[] {
  return rows.map(([name, injected, code, says, command, wish]) => ({
    kind: "bench",
    group,
    name,
    injected,
    expected: saysText(says),
    quick: quick.includes(name),
    ...more,
    async inject(stage) {
      const args = typeof command === "string" ? argsOf(command, stage) : await command(stage);
      await stage.expect(args, code, says, wish?.(stage));
    },
  }));
}
