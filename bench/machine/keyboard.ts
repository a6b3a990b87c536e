import { readFileSync } from "node:fs";

/** What somebody types, line by line. */
export type Keyboard = Pick<NodeJS.ReadStream, "once" | "off" | "resume" | "pause">;

/** The keyboard of whoever started this process; null without a terminal, or in the background, where reading stops it. */
export function keyboardHere(): Keyboard | null {
  return process.stdin.isTTY && !isInBackground() ? process.stdin : null;
}

function isInBackground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group !== foreground;
  } catch {
    // Only Linux tells.
    return false;
  }
}
