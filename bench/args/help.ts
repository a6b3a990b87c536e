import { type Command, COMMANDS, COMMON_OPTIONS, type Option, OPTIONS } from "./options.ts";

const flagOf = (option: Option) =>
  `${option.short === undefined ? "    " : `-${option.short}, `}--${option.name}${
    option.value === undefined ? "" : ` ${option.value}`
  }`;

function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** The help of the whole program. */
export function generalHelp(): string {
  return `bench: which runtime and which store serves your app fastest on this machine

Usage: bench <command> [options]

Commands:
${rows(COMMANDS.map((command) => [command.name, command.help]))}

Options:
${rows(OPTIONS.filter((option) => COMMON_OPTIONS.includes(option.name)).map((option) => [flagOf(option), option.help]))}

"bench <command> --help" has the options of a command. Start with: bench all --quick
`;
}

/** The help of one command. */
export function commandHelp(name: string): string {
  const command: Command = COMMANDS.find((candidate) => candidate.name === name)!;
  const options = OPTIONS.filter((option) => [...command.options, ...COMMON_OPTIONS].includes(option.name));
  return `bench ${command.name}: ${command.help}

Usage: bench ${command.name}${command.operands === "" ? "" : ` ${command.operands}`} [options]

Options:
${rows(options.map((option) => [flagOf(option), option.help]))}

Examples:
${command.examples.map((example) => `  ${example}`).join("\n")}
`;
}
