import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../basics/errors.ts";
import { readPlainFile, writePlainFile } from "../files/plain-file.ts";
import { type Gated, gatedSchema } from "../record/gated.ts";

const NAME = "gates.ndjson";

/** True if a folder has a history of gates. */
export const isGateHistory = (folder: string): boolean => existsSync(join(folder, NAME));

/** Reads the lines of a history, those of the oldest commit first; none without one. Throws for a line that is none. */
export function readGates(folder: string): Gated[] {
  if (!isGateHistory(folder)) return [];
  const file = join(folder, NAME);
  const lines = readPlainFile(file).toString().split("\n");
  const gates = lines.flatMap((line, n) => {
    if (line.trim() === "") return [];
    try {
      return [gatedSchema.parse(JSON.parse(line))];
    } catch (error) {
      throw failure(`"${file}", line ${n + 1}, is no gate's`, "remove the line", error);
    }
  });
  return gates.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Adds a gate's line to a history, in place of an earlier one of the same commit, module and kind of CPU. */
export function keepGate(folder: string, gate: Gated): void {
  const keyOf = ({ commit, module, cpu_kind }: Gated) => JSON.stringify([commit, module, cpu_kind]);
  const others = readGates(folder).filter((one) => keyOf(one) !== keyOf(gate));
  mkdirSync(folder, { recursive: true });
  writePlainFile(join(folder, NAME), [...others, gate].map((one) => `${JSON.stringify(one)}\n`).join(""));
}
