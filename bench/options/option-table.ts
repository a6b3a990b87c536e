import { usageError } from "../basics/errors.ts";
import { optionName } from "../plan/plan-parts.ts";
import { APP_AXIS } from "../record/cell.ts";
import { isOfCalls } from "../record/in-words.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { Command, CommandName } from "./commands.ts";
import { type Option, type OptionName, OPTIONS } from "./options.ts";
import { type Type, words } from "./types.ts";

const ROWS: readonly Option[] = OPTIONS;
const NAMES: ReadonlySet<string> = new Set(ROWS.map(({ name }) => name));

/** Names no axis may take. */
const RESERVED: readonly string[] = [
  ...NAMES,
  ...ROWS.flatMap(({ short }) => short === undefined ? [] : [short]),
];

/** Options every command takes. */
export const COMMON: readonly Option[] = ROWS.filter(({ of }) => of === "every");

/** Options a config may say, each once. */
export const CONFIG_OPTIONS: readonly Option[] = ROWS.filter((row, n) =>
  row.key && ROWS.findIndex(({ name, key }) => key && name === row.name) === n
);

/** The key of a config for an option: `warmup-loads` is `warmupLoads`. */
export const keyOf = (option: string): string =>
  option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Types of options a config may say, by name. */
export const typesOf = <N extends OptionName>(...names: readonly N[]): Readonly<Record<N, Type>> =>
  Object.fromEntries(names.map((name) => [name, CONFIG_OPTIONS.find((row) => row.name === name)!.type])) as Record<
    N,
    Type
  >;

/** The options of a suite's axes. Throws a usage error that names the suite and both when two would have one name. */
function axisOptions({ suite, draft }: LoadedSuite): Option[] {
  const reserved = RESERVED.filter((name) => draft === undefined || name !== APP_AXIS);
  const taken = new Map(reserved.map((name) => [name, "an option of bench"]));
  const ofFunctions = isOfCalls(suite) && suite.withModules !== undefined;
  return suite.axes.map(({ name: axis, help, binds }) => {
    const name = optionName(axis);
    const other = name === "" ? "no option, for want of a letter" : taken.get(name);
    if (other !== undefined) {
      throw usageError(
        `suite "${suite.name}": axis "${axis}" would be --${name}, which is ${other}`,
        `give the axis "${axis}" another name`,
      );
    }
    taken.set(name, `axis "${axis}"`);
    return { name, type: words, help, binds, ofFunctions };
  });
}

/** All options there are: the driver's and, once each, those of the suites' axes. Throws as {@link axisOptions}. */
export function optionTable(suites: readonly LoadedSuite[]): readonly Option[] {
  const ofAxes = suites.flatMap(axisOptions);
  return [...ROWS, ...ofAxes.filter(({ name }, n) => ofAxes.findIndex((row) => row.name === name) === n)];
}

/** True if an option is that of an axis. */
export const isOfAxis = (name: string): boolean => !NAMES.has(name);

/** Options of the driver that a command takes. */
export const optionsOfCommand = ({ name }: Command): readonly Option[] =>
  ROWS.filter(({ of }) => of === "every" || of?.includes(name as CommandName));

/** The option of a name that a command takes; undefined where it takes none. */
export function optionOf(command: Command, name: string, table: readonly Option[] = ROWS): Option | undefined {
  if (!isOfAxis(name)) return optionsOfCommand(command).find((row) => row.name === name);
  const option = table.find((row) => row.name === name);
  const isFew = command.axes === "runtime" && option?.binds !== "runtime" && option?.ofFunctions !== true;
  return command.axes === null || isFew ? undefined : option;
}

/** The placeholder of a value in help; empty for a switch. */
export const shownOf = ({ shown, type }: Option): string => shown ?? type.shown;

/** The meaning of an option with its default. */
export const helpOf = ({ help, otherwise }: Option): string =>
  otherwise === undefined ? help : `${help} (default: ${otherwise})`;

/** Options of a command that may be given with a stored plan; with `place` also those that say where it is measured. */
export const optionsWithPlan = (command: Command, place: boolean): readonly Option[] =>
  optionsOfCommand(command).filter(({ of, again }) =>
    of === "every" || again === "any" || (place && again === "place")
  );

/** Options of a command that say where it measures. */
export const placeOptions = (command: Command): readonly Option[] =>
  optionsOfCommand(command).filter(({ again }) => again === "place");
