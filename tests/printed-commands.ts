/** Commands that the bench prints as the next to run: each is read by the real parser, whichever test makes it print them. */
import assert from "node:assert/strict";
import { shellWords } from "../bench/basics/shell.ts";
import { optionTable } from "../bench/options/option-table.ts";
import { commandOfLine, parseLine, readLine } from "../bench/options/read-line.ts";
import { parseSelf } from "../lab/self/options.ts";
import { SUITES } from "../suites/registry.ts";

const TABLE = optionTable(SUITES.map((suite) => ({ suite, module: null })));

/** Words that go on after a command in a sentence: `bench list has the values`. */
const VERBS =
  "has|have|names|makes|shows|prints|takes|writes|uses|says|measures|compares|needs|starts|checks|is|are|of|in";

/** Ends of a command in a sentence or next to its description. */
const END = new RegExp(
  "  |: |:$|[;,] |[;,]$| \\(|\u0060|\\.$| (?:" + VERBS + "|and|or|then|#)(?![\\w-])| [>\\[…]",
  "g",
);

/** Places where a command begins: a hint, a line of its own, after a conjunction in a hint, and code in Markdown. */
const BEGIN = /(?:^ *(?:try: )?|(?<=try: .*)(?:; |, or |, then |then: )|`)bench (?=[a-z-])/gm;

/** Returns the commands that a text for people names; a line that ends in a backslash goes on. */
export function printedCommands(text: string): string[] {
  if (/^\s*[{[]/.test(text)) return [];
  const whole = text.replaceAll(/ \\\n\s*/g, " ");
  return [...whole.matchAll(BEGIN)].flatMap((match) => {
    const [line] = whole.slice(match.index + match[0].length).split("\n");
    // An end inside quotes is none; where names are longer than a line, quotes may not end on it.
    const ends = [...line!.matchAll(END)].map(({ index }) => line!.slice(0, index).trim());
    const command = [...ends, line!.trim()].find((each) => shellWords(each) !== null);
    return command === undefined ? [] : [`bench ${command}`];
  });
}

/** Programs whose options are not ours. */
const OTHERS = /\b(?:npm|git|node|deno|bun|curl|apt|apt-get|ls|ps|rm|kill|ssh|wrk|podman)\b/;

/**
 * Asserts that each command that a text names is one that there is, with options and values that it takes, and that a
 * hint names no other option. `--AXIS` stands for any, and suites of users have their own.
 */
export function assertCommands(text: string): void {
  const isUsers = (line: string) => /\.[cm]?[jt]s\b/.test(line);
  const isKnown = (option: string) => TABLE.some(({ name }) => name === option) || option === option.toUpperCase();
  for (const [hint] of text.matchAll(/^ *try: .*$/gm)) {
    const options = OTHERS.test(hint) || isUsers(hint) ? [] : [...hint.matchAll(/(?<![\w-])--([a-zA-Z][a-z-]*)/g)];
    for (const [, option] of options) assert.ok(isKnown(option!), `--${option}: ${hint}`);
  }
  for (const command of printedCommands(text)) {
    const where = `"${command}", printed in\n${text}`;
    const words = shellWords(command)!.slice(1);
    if (words[0] === "self") {
      assert.doesNotThrow(() => parseSelf(words.slice(1)), where);
      continue;
    }
    const line = parseLine(words);
    const others = line.given.filter(([option]) => !TABLE.some(({ name }) => name === option));
    if (others.some(([option]) => isKnown(option)) || others.length > 0 && isUsers(command)) {
      assert.ok(commandOfLine(line) !== undefined, where);
    } else assert.doesNotThrow(() => readLine(line, TABLE), where);
  }
}
