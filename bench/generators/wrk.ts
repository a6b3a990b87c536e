import { fileURLToPath } from "node:url";
import { z } from "zod";
import { mixKeys } from "../../stores/dataset/mix.ts";
import { recoverRaw } from "../core/latency-histogram.ts";
import type { Generator } from "./generator.ts";

const SCRIPT = fileURLToPath(new URL("./wrk.lua", import.meta.url));
const MARK = "levelfield ";

const count = z.int().nonnegative();
const report = z.object({
  durationUs: z.int().positive(),
  requests: count,
  bytes: count,
  sentMisses: count,
  drawn: z.array(count),
  slotUs: count,
  startedUs: z.array(count),
  slots: z.array(z.array(count)),
  errors: z.object({ connect: count, read: count, write: count, status: count, timeout: count }),
  latency: z.array(z.tuple([count, count])),
});

/** wrk 4: closed loop, so it measures capacity, and its latencies are service times under full load. */
export const wrk: Generator = {
  name: "wrk",
  program: "wrk",
  install: { apt: "apt-get install -y wrk", brew: "brew install wrk", nix: "nix develop" },
  versionArgs: ["--version"],
  parseVersion: (output) => /^wrk (\S+)/.exec(output)?.[1],
  args(plan) {
    const script = plan.requests.kind === "fixed" ? ["fixed"] : [
      "ids",
      plan.requests.size,
      plan.requests.drawSeed,
      plan.requests.missShare,
      ...mixKeys(plan.requests.dataSeed),
    ].map(String);
    const path = plan.requests.kind === "fixed" ? plan.requests.path : "";
    const servers = plan.urls.length;
    return [
      `-t${servers > 1 ? servers : plan.threads}`,
      `-c${plan.connections * servers}`,
      `-d${plan.durationMs / 1000}s`,
      "--timeout",
      `${Math.ceil(plan.timeoutMs / 1000)}s`,
      "-s",
      SCRIPT,
      plan.urls[0] + path,
      "--",
      ...script,
    ];
  },
  env: (plan): Record<string, string> =>
    plan.urls.length === 1 ? {} : { LEVELFIELD_TARGETS: plan.urls.map((url) => new URL(url).port).join(" ") },
  parse(output, plan) {
    const line = output.split("\n").find((text) => text.startsWith(MARK));
    if (line === undefined) throw new Error("wrk printed no result line");
    const { latency, drawn, slots, ...rest } = report.parse(JSON.parse(line.slice(MARK.length)));
    const { durationUs, requests } = rest;
    const connections = plan.connections * plan.urls.length;
    return {
      ...rest,
      sentByThread: drawn,
      slotsByThread: slots,
      latency: recoverRaw(latency, { durationUs, requests, connections }),
    };
  },
};
