/**
 * An agent whose lines are altered on their way: `altered-agent.ts PATTERN REPLACEMENT COMMAND…`. What matches the pattern is
 * replaced in each line behind its greeting; `\n` in the replacement is a line feed of the pipe.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [pattern, replacement, file, ...args] = process.argv.slice(2);
const agent = spawn(file!, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(agent.stdin);
let greeted = false;
createInterface({ input: agent.stdout }).on("line", (line) => {
  process.stdout.write(`${greeted ? line.replace(new RegExp(pattern!), () => replacement!) : line}\n`);
  greeted = true;
});
agent.on("close", () => process.exit());
