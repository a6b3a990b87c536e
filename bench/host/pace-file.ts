import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a data folder remembers how long steps take on this machine. */
const fileIn = (dataDirectory: string) => join(dataDirectory, "pace.json");

/** How long steps took in the last run here, as a share of what was expected of them; 1 where nothing is known. */
export function earlierPace(dataDirectory: string): number {
  try {
    const { share } = JSON.parse(readFileSync(fileIn(dataDirectory), "utf8"));
    return typeof share === "number" && share > 0.1 && share < 20 ? share : 1;
  } catch {
    return 1;
  }
}

/** Remembers how long steps took, for the next run's first word on how long it will take. */
export function rememberPace(dataDirectory: string, share: number): void {
  try {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(fileIn(dataDirectory), JSON.stringify({ share }) + "\n");
  } catch {
    // It only makes a first guess better: a folder that cannot be written to is no reason to fail.
  }
}
