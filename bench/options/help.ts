import { shellQuoted } from "../basics/shell.ts";
import type { Axis, Suite } from "../../suites/suite.ts";
import { optionName } from "../plan/plan-parts.ts";
import { probeOf } from "../plan/points.ts";
import { type Command, COMMANDS, EXIT_CODES } from "./commands.ts";
import { COMMON, helpOf, optionsOfCommand, shownOf } from "./option-table.ts";
import { type Group, GROUPS, type Option } from "./options.ts";

/** The longest line, on any terminal. */
const WIDEST = 80;
/** If a column leaves less than this for its text, the text goes below it. */
const LEAST_ROOM = 28;

const flagOf = (name: string, value: string) => `--${name}${value === "" ? "" : ` ${value}`}`;

const rowOf = (option: Option) => [flagOf(option.name, shownOf(option)), helpOf(option)] as const;

const commonRows = (columns: number) =>
  rows(
    COMMON.map((option) => [`${option.short ? `-${option.short}, ` : "    "}${rowOf(option)[0]}`, helpOf(option)]),
    columns,
  );

/** Options under the heading of their group; a few have one heading for all. */
function groupedRows(options: readonly Option[], columns: number): string {
  const width = Math.max(...options.map((option) => rowOf(option)[0].length));
  const under = (heading: string, some: readonly Option[]) => `${heading}:\n${rows(some.map(rowOf), columns, width)}\n`;
  if (options.length <= FEW) return under("Options", options);
  const names = Object.keys(GROUPS) as Group[];
  return names.map((name) => [GROUPS[name], options.filter(({ group }) => group === name)] as const)
    .filter(([_, some]) => some.length > 0).map(([heading, some]) => under(heading, some)).join("\n");
}

function rows(
  pairs: readonly (readonly [string, string])[],
  columns: number,
  width = Math.max(...pairs.map(([left]) => left.length)),
): string {
  const room = Math.min(columns, WIDEST) - width - 4;
  if (room < LEAST_ROOM) {
    return pairs.map(([left, right]) =>
      [`  ${left}`, ...wrapped(right, columns - 8).map((line) => `        ${line}`)].join("\n")
    ).join("\n");
  }
  return pairs.map(([left, right]) =>
    wrapped(right, room).map((line, n) => `  ${(n === 0 ? left : "").padEnd(width)}  ${line}`).join("\n")
  ).join("\n");
}

function wrapped(text: string, columns: number): string[] {
  const lines = [""];
  // A list of values may be broken after a comma.
  for (const word of text.split(/(?<=,)(?=\S)|(?<= )/)) {
    const line = lines.at(-1)! + word;
    if (line.trimEnd().length <= columns || lines.at(-1) === "") lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

const EXITS = `Exit codes: ${Object.entries(EXIT_CODES).map(([code, means]) => `${code} ${means}`).join("; ")}`;

const commands: readonly Command[] = COMMANDS.filter((command: Command) => command.unlisted !== true);
const groups = [...Map.groupBy(commands.filter(({ group }) => group !== undefined), ({ group }) => group!)];

/**
 * The help of the whole program, for so many columns.
 * @param whole with a line for each command
 */
export function generalHelp(columns = WIDEST, whole = false): string {
  const lines = (some: readonly Command[]) => rows(some.map(({ name, help }) => [name, help]), columns);
  const more = whole
    ? groups.map(([group, some]) => `To ${group}:\n${lines(some)}`).join("\n\n")
    : `More, "bench help more" has a line for each:\n${
      rows(groups.map(([group, some]) => [group, some.map(({ name }) => name).join(", ")]), columns)
    }`;
  return `bench: measures HTTP servers here, says which is faster, by how much, how sure

Usage: bench <command> [options]

${lines(commands.filter(({ group }) => group === undefined))}

${more}

Options of every command:
${commonRows(columns)}

${wrapped(EXITS, Math.min(columns, WIDEST)).join("\n")}

"bench <command> --help" has its options. Start with: bench all --quick
`;
}

/** Options from which on help shows those newcomers need, and --help-all the others. */
const DOZEN = 12;
/** The most options that need no groups. */
const FEW = 6;

/**
 * The help of one command.
 * @param whole with all its options, where those are more than a dozen
 * @param suite the suite whose axes it shows, where the command takes options of axes
 * @param columns how wide its lines may be
 */
export function commandHelp(name: string, suite: Suite, columns = WIDEST, whole = false): string {
  const command: Command = COMMANDS.find((candidate) => candidate.name === name)!;
  const { axes, operands, otherwise, exits } = command;
  const all = optionsOfCommand(command).filter((option) => !COMMON.includes(option));
  const isShort = !whole && all.length > DOZEN;
  const shown = isShort ? all.filter((option) => option.first) : all;
  return `bench ${name}: ${command.help}

Usage: bench ${name}${operands === undefined ? "" : ` ${operands}`} [options]${
    otherwise === undefined ? "" : `  (default: ${otherwise})`
  }
${axes === null ? "" : axesHelp(suite, axes, columns, isShort)}${
    operands?.includes("cell") && !isShort ? cellsHelp(columns) : ""
  }
${shown.length === 0 ? "" : `${groupedRows(shown, columns)}\n`}${
    isShort ? `The other ${all.length - shown.length} options: bench ${name} --help-all\n` : ""
  }Options of every command: bench help
${exits === undefined ? "" : `\nExit codes of its own:\n${rows(Object.entries(exits), columns)}\n`}
Examples:
${command.examples.map((example) => `  ${exampleFor(example, suite)}`).join("\n")}
`;
}

/** The option of modules with functions, which belongs to a suite of its own. */
const FUNCTIONS = [
  "--function FILE",
  "functions of a module; some of them: --call a,b",
] as const;

function axesHelp(
  suite: Suite,
  taken: NonNullable<Command["axes"]>,
  columns: number,
  isShort: boolean,
): string {
  const value = taken === "one" ? "a" : "a,b";
  const probe = probeOf(suite);
  const options = suite.axes.filter(({ binds }) => taken !== "runtime" || binds === "runtime");
  if (options.length === 0) return "";
  // The short form shows axes with several values, if there are any.
  const wide = isShort ? options.filter(({ values }) => values.length > 1) : [];
  const shown = wide.length > 0 ? wide : options;
  const others = options.filter((option) => !shown.includes(option));
  // The title stands before the help, unless the option or the help has it already.
  const rowOfAxis = (axis: Axis) => {
    const { title, help, values } = axis;
    const name = optionName(axis.name);
    const usual = (taken === "one" ? [probe[axis.name]!] : values).map((each) => axis.format(each)).join(",");
    const said = optionName(title) === name || help.toLowerCase().startsWith(title.toLowerCase());
    const whole = `${said ? "" : `${title}: `}${help} (default: ${usual})`;
    const ofRuntimes = `${help} (default: the one your project is for)`;
    return [flagOf(name, value), taken === "runtime" ? ofRuntimes : isShort ? usual : whole] as const;
  };
  const pairs = [...shown.map(rowOfAxis), ...(taken === "runtime" ? [FUNCTIONS] : [])];
  const also = others.map(({ name }) => `--${optionName(name)}`).join(", ");
  // A command that takes no suite measures the user's servers.
  return `
${
    taken === "runtime"
      ? "Runtimes:"
      : wrapped(`Axes of suite "${suite.name}": ${suite.title}`, Math.min(columns, WIDEST)).join("\n")
  }
${rows([...pairs, ...(also === "" ? [] : [["    and", also] as const])], columns)}
`;
}

const CELLS = "A cell is named by values of axes with slashes between them, VALUE/VALUE or axis=VALUE/axis=VALUE. " +
  "A slash inside a value is written %2F. An axis that is not named has the value of its option, or its default above.";

const cellsHelp = (columns: number) => `\n${wrapped(CELLS, Math.min(columns, WIDEST)).join("\n")}\n`;

/** An example with words of the suite in place of SUITE, OPTION and the like. */
export function exampleFor(example: string, suite: Suite): string {
  const first = suite.axes.find(({ role }) => role === "contrast") ?? suite.axes[0]!;
  const [value, other = value] = first.values.map((each) => first.format(each)) as [string, string?];
  const cell = (text: string) => text.replaceAll("%", "%25").replaceAll("/", "%2F");
  const words: Record<string, string> = {
    SUITE: suite.name,
    OPTION: optionName(first.name),
    VALUE: value,
    VALUES: [...new Set([value, other])].join(","),
    CELL: cell(value),
    OTHER: cell(other),
  };
  return example.replaceAll(/\b(SUITE|OPTION|VALUES?|CELL|OTHER)\b/g, (word) => shellQuoted(words[word]!));
}
