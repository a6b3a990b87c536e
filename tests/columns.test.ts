/** What commands print fits the terminal: from committed reference runs, at 80 and at 50 columns. */
import { test } from "node:test";
import { assertFits, OF_EACH_SUITE, REFERENCES, type Shown } from "./fits-terminal.ts";

/** Of the others in tests/long. */
const shown = OF_EACH_SUITE.filter((_, n) => n % 8 === 0);
const [first, second] = [REFERENCES[0]!, REFERENCES.find((name) => name.includes("-kv-"))!];

/** Commands that measure nothing. */
const COMMANDS: readonly Shown[] = [
  ...shown.flatMap((name) => [{ args: ["show", name] }, { args: ["show", name, "--all"] }]),
  { args: ["show", "reference"] },
  { args: ["verify", second] },
  { args: ["compare", first, second] },
  { args: ["reproduce", second, "--with", second] },
  { args: ["settle", second, "--dry-run"] },
  { args: ["show", "--list"] },
  { args: ["list"] },
  { args: ["list", "users"] },
  { args: ["list", "sqlite"] },
  { args: ["--version"] },
  { args: ["run", "--quick", "--dry-run", "--seed", "1"], varies: true },
  { args: ["doctor"], varies: true },
  { args: ["compare", "--bogus"] },
  { args: ["sohw"] },
  { args: ["show", "no-such-run"] },
];

test("nothing a command prints is wider than the terminal, words are whole, and marks stand under each other", async () => {
  for (const command of COMMANDS) await assertFits(command);
});
