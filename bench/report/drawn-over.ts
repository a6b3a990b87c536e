import { createLogUpdate } from "#log-update";
import { printableLines } from "./align.ts";

/** Returns a function that draws lines over those of its last call. */
export function lineRedrawer(to: NodeJS.WriteStream): { (lines: string): void; clear(): void; done(): void } {
  const draw = createLogUpdate(to, { showCursor: true });
  return Object.assign((lines: string) => draw(printableLines(lines)), { clear: draw.clear, done: draw.done });
}
