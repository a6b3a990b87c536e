/** Writes a made-up run into a folder, for trying the page by hand: `node write-fixture.ts FOLDER [sizes]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publish } from "../core/result/published.ts";
import { type FixtureAxes, makeFixture } from "./fixture.ts";

/** Writes run.json, trials.ndjson and everything published of a made-up run. */
export function writeFixture(folder: string, change: Partial<FixtureAxes> = {}): void {
  const { run, lines } = makeFixture(change);
  const { files } = publish(run, lines);
  mkdirSync(join(folder, "cells"), { recursive: true });
  writeFileSync(join(folder, "run.json"), JSON.stringify(run, null, 2) + "\n");
  writeFileSync(join(folder, "trials.ndjson"), lines.map((line) => JSON.stringify(line) + "\n").join(""));
  for (const [name, value] of files) writeFileSync(join(folder, name), JSON.stringify(value, null, 2) + "\n");
  mkdirSync(dirname(folder), { recursive: true });
}
