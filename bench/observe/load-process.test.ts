import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import type { LoadPlan } from "../generators/generator.ts";
import { GENERATORS } from "../generators/registry.ts";
import { localHost } from "../pipe/local-host.ts";
import { startLoad } from "./load-process.ts";

/** The arguments that generators are started with, in place of starting them. */
function siteOf(generator: string, started: (readonly string[])[]) {
  const here = localHost();
  const start: typeof here.start = ({ args }) => {
    started.push(args);
    return Promise.reject(new Error("not started"));
  };
  return {
    hosts: { load: { ...here, start } },
    tool: { generator: GENERATORS[generator]!, program: generator, lead: [] },
    placement: { loadCpus: null },
    priority: { nice: null },
    onStart: () => {},
  };
}

const planOf = (headers: Readonly<Record<string, string>>): LoadPlan => {
  const requests: RequestPlan = { pace: { closed: 1 }, mix: [{ path: "/", headers, expect: [200] }] };
  const targets: LoadPlan["targets"] = [{ url: "http://127.0.0.1:1", requests }];
  return { targets, threads: 1, durationMs: 1_000, timeoutMs: 1_000, seed: 1, load: 0 };
};

test("no load starts whose arguments would show a secret, wherever its plan came from", async () => {
  const secret = `ghp_${"aB3".repeat(12)}`;
  const started: (readonly string[])[] = [];
  const site = siteOf("h2load", started);
  const refused = new RegExp(
    `^BenchError: h2load takes its requests as arguments, .*a token of a service in header`,
  );
  await assert.rejects(startLoad(site, planOf({ "x-user": secret })), refused);
  assert.equal(started.length, 0);
  await assert.rejects(startLoad(site, planOf({ "x-user": "7" })), /not started/);
  assert.ok(started[0]!.includes("x-user: 7"));
  started.length = 0;
  await assert.rejects(startLoad(siteOf("wrk", started), planOf({ "x-user": secret })), /not started/);
  assert.ok(!JSON.stringify(started).includes(secret));
});
