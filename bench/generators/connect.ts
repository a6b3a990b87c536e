import { fileURLToPath } from "node:url";
import { z } from "zod";
import { counted } from "../basics/units.ts";
import { isTls } from "../../servers/protocol.ts";
import { drawRequests } from "./drawn-requests.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { ONE_SERVER, readReport, TOTALS, UNWATCHED } from "./common.ts";

const COUNTED = ["requests", "bytes", "opened", "resumed", "connect", "read", "timeout", "status"] as const;
const report = z.record(z.enum(["durationUs", ...COUNTED]), z.int().nonnegative());

/** Where every connection should resume a TLS session, the least share that must do so; the first of each is left out. */
const LEAST_RESUMED = 0.9;

/** A new connection for each request, in JavaScript: no other generator resumes TLS sessions in all of them. */
export const connect: Generator = {
  name: "connect",
  program: "node",
  module: fileURLToPath(new URL("./connect-main.ts", import.meta.url)),
  install: { npm: "npm ci" },
  abilities: {
    ...ONE_SERVER,
    sends: "one",
    textAlone: true,
    openLoop: false,
    threads: false,
    newConnections: "only",
    protocols: ["http", "https"],
  },
  versionArgs: ["--version"],
  parseVersion: (output) => /^connect (\S+)/.exec(output)?.[1],
  input: (plan) => ({ "task.json": JSON.stringify(taskOf(plan)) }),
  args: (_, folder) => [`${folder}/task.json`],
  ...UNWATCHED,
  parse(output, plan) {
    const { durationUs, requests, bytes, opened, resumed, ...errors } = readReport("connect", output, report);
    const { resume, atOnce } = taskOf(plan);
    if (resume && resumed < LEAST_RESUMED * (opened - atOnce)) {
      throw new Error(
        `the server let ${resumed} of ${counted(opened, "connection")} go on with an earlier session of TLS`,
      );
    }
    const untold = { latency: "connect counts replies alone", "errors.write": "they are in errors.read" };
    return {
      ...TOTALS,
      ...{ durationUs, requests, bytes, errors: { ...errors, write: null }, untold },
    };
  },
};

/** The task of connect-main.ts. */
export type ConnectTask = ReturnType<typeof taskOf>;

function taskOf({ targets: [{ url, requests }], seed, durationMs, timeoutMs }: LoadPlan) {
  if (!("closed" in requests.pace)) throw new Error("connect cannot keep a rate");
  const { hostname, host, port } = new URL(url);
  const [{ method, path, headers, body }] = drawRequests(requests, seed, 1) as [
    ReturnType<typeof drawRequests>[number],
  ];
  const length = body === "" ? [] : [["Content-Length", Buffer.byteLength(String(body))] as const];
  const lines = [["Host", host] as const, ...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    at: { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) },
    tls: isTls(requests.protocol ?? "http"),
    resume: requests.connection === "resumed",
    text: `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`,
    ...{ atOnce: requests.pace.closed, durationMs, timeoutMs },
  };
}
