import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { orElse } from "../basics/errors.ts";
import type { TimeTaken } from "../plan/pace.ts";
import { readPlainFile, writePlainFile } from "../files/plain-file.ts";

const fileIn = (dataDirectory: string) => join(dataDirectory, "pace.json");

/** The weight of a remembered duration after another such step was measured: machines change. */
const FADES_TO = 0.5;

/** A machine or a clock that makes steps so much shorter or longer than expected says nothing about the next run. */
const SHARES = { least: 0.1, most: 20 };

const taken = z.object({
  suite: z.string(),
  kind: z.enum(["ceiling", "solo", "ensemble"]),
  warmup: z.enum(["steady", "fixed"]),
  servers: z.number().positive(),
  spentMs: z.number().positive(),
  expectedMs: z.number().positive(),
}).refine(({ spentMs, expectedMs }) => {
  const share = spentMs / expectedMs;
  return share > SHARES.least && share < SHARES.most;
});

const schema = z.object({ taken: z.array(taken) });

/** Returns measured durations of steps in earlier runs here, relative to the expected ones; none if there were none. */
export function earlierPace(dataDirectory: string): readonly TimeTaken[] {
  return orElse(() => schema.parse(JSON.parse(readPlainFile(fileIn(dataDirectory)).toString("utf8"))).taken, []);
}

/**
 * Remembers how long steps of a run took, for the next run's first word on how long it will take. Steps of a kind that this
 * run had count for half of what they did; others stay as they are.
 */
export function rememberPace(dataDirectory: string, made: readonly TimeTaken[]): void {
  if (made.length === 0) return;
  const nameOf = ({ suite, kind, warmup }: TimeTaken) => JSON.stringify([suite, kind, warmup]);
  const all = new Map(earlierPace(dataDirectory).map((one) => [nameOf(one), one]));
  for (const one of made) {
    const { servers, spentMs, expectedMs } = all.get(nameOf(one)) ?? { servers: 0, spentMs: 0, expectedMs: 0 };
    const sum = {
      ...one,
      servers: one.servers + FADES_TO * servers,
      spentMs: one.spentMs + FADES_TO * spentMs,
      expectedMs: one.expectedMs + FADES_TO * expectedMs,
    };
    if (taken.safeParse(sum).success) all.set(nameOf(one), sum);
  }
  // It only improves a first guess: a read-only folder is no reason to fail.
  orElse(() => {
    mkdirSync(dataDirectory, { recursive: true });
    writePlainFile(fileIn(dataDirectory), JSON.stringify({ taken: [...all.values()] }) + "\n");
  }, undefined);
}
