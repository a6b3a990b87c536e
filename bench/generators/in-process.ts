import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Generator } from "./generator.ts";
import { count, readReport, watchSent } from "./common.ts";

const report = z.object({
  durationUs: z.int().positive(),
  slotUs: z.int().positive(),
  threads: z.array(z.object({ startedUs: count, slots: z.array(count) })),
  failed: count,
});

/** Sends nothing: servers call a function in a loop (servers/calls/), and their counts are read. */
export const inProcess: Generator = {
  name: "in-process",
  program: "node",
  module: fileURLToPath(new URL("./in-process-main.ts", import.meta.url)),
  install: { npm: "npm ci" },
  abilities: {
    sends: "one",
    openLoop: false,
    manyServers: true,
    watch: true,
    greets: true,
    threads: false,
    newConnections: false,
    calls: true,
  },
  versionArgs: ["--version"],
  parseVersion: (output) => /^in-process (\S+)/.exec(output)?.[1],
  args: ({ targets, seed, durationMs, watched }) => [
    JSON.stringify({ urls: targets.map(({ url }) => url), seed, durationMs, watched: watched === true }),
  ],
  env: () => ({}),
  watch: watchSent,
  endSignal: "SIGINT",
  parse(output) {
    const line = output.split("\n").findLast((text) => text.startsWith("{")) ?? "";
    const { durationUs, slotUs, threads, failed } = readReport("in-process", line, report);
    const made = threads.map(({ slots }) => slots.reduce((sum, one) => sum + one, 0));
    return {
      durationUs,
      requests: made.reduce((sum, one) => sum + one, 0),
      bytes: null,
      threads: threads.map((thread, n) => ({ ...thread, sent: [made[n]!], errorsDue: 0, errorsAllowed: 0 })),
      slotUs,
      errors: { connect: failed, read: 0, write: 0, timeout: 0, status: 0 },
      latency: null,
      untold: { latency: "calls are counted in batches", reply_bytes: "nothing is sent" },
    };
  },
};
