/** Profiles as the three runtimes write them, parted among layers. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explainCell } from "../bench/why/explain-cell.ts";
import { type SampledProfile, samplesWithin } from "../bench/why/samples-within.ts";
import { childEnvironment, locateRuntime, SCRIPT_ARGS } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { profilerOf } from "../bench/runs/cpu-profile-files.ts";
import { explainedCell } from "../bench/record/explanation-schema.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import { SOURCE_LAYERS } from "../suites/registry.ts";
import { folderTest } from "./testing.ts";

/** An app that counts, a framework it is in, a package nobody knows, and calls of native code, one of which calls back. */
const SCRIPT = `
import { Hono } from ${JSON.stringify(join(PROJECT_ROOT, "node_modules/hono/dist/index.js"))};
import { other } from "./node_modules/other/index.js";
import { createHash, pbkdf2Sync } from "node:crypto";
import { gzipSync } from "node:zlib";
let kept = 0;
function grind() { let x = kept | 1; for (let i = 0; i < 20_000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; kept = x; }
const rows = Array.from({ length: 600 }, (_, id) => ({ id, name: "row " + id }));
const app = new Hono();
const text = JSON.stringify(rows), big = text.repeat(3), called = { toJSON() { grind(); return rows; } };
function derives() { return pbkdf2Sync("word", "salt", 200, 32, "sha256").length; }
function hashes() { return createHash("sha256").update(big).digest().length; }
function clones() { return structuredClone(rows).length; }
function packs() { return gzipSync(text).length; }
function parses() { return JSON.parse(text).length; }
function writes() { return JSON.stringify(called).length; }
function replies() { return Response.json(rows).status; }
const pages = new Function("let x = 1; return function page() { for (let i = 0; i < 40_000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; return x; }")();
function shows() { return pages() & 1; }
function all() { return shows() + derives() + hashes() + clones() + packs() + parses() + writes() + replies(); }
app.get("/:id", (c) => { grind(); other(); return c.text(all() + c.req.param("id")); });
for (let i = 0; i < Number(process.argv[2]); i++) await (await app.request("/" + i)).text();
`;
const LINES = SCRIPT.split("\n");

/** Native calls of the app, by the function that calls each: their names, and those of Bun where they differ. */
const CALLS = {
  derives: ["pbkdf2Sync"],
  hashes: ["update"],
  clones: ["structuredClone"],
  packs: ["zlib"],
  parses: ["JSON.parse"],
  writes: ["JSON.stringify"],
  replies: ["Response.json", "json"],
};
const OTHER = `let kept = 0;
export function other() { let x = kept | 1; for (let i = 0; i < 20_000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; kept = x; }
`;

/** Requests of the first profile, and the most of one: a machine that halts a process at the wrong time leaves calls without a sample. */
const REQUESTS = 1_500, MOST_REQUESTS = 48_000;

function profileOf(name: RuntimeName, folder: string, requests: number): SampledProfile {
  mkdirSync(join(folder, "node_modules/other"), { recursive: true });
  writeFileSync(join(folder, "node_modules/other/package.json"), '{ "name": "other", "type": "module" }');
  writeFileSync(join(folder, "node_modules/other/index.js"), OTHER);
  writeFileSync(join(folder, "mill.mjs"), SCRIPT);
  const [first, ...rest] = SCRIPT_ARGS[name];
  const profiles = join(folder, `profiles-${requests}`);
  const { flags, env } = profilerOf(name, profiles);
  mkdirSync(profiles);
  execFileSync(locateRuntime(name).file, [
    ...(first === undefined ? [] : [first]),
    ...flags,
    ...rest,
    "mill.mjs",
    String(requests),
  ], { cwd: folder, env: { ...childEnvironment(), ...env } });
  const [file] = readdirSync(profiles);
  return JSON.parse(readFileSync(join(profiles, file!), "utf8"));
}

const use = {
  ...{ requests: 30_000, window_ms: 1_000, user_us: 200, system_us: 8 },
  threads: {
    "main": { user_us: 190, system_us: 6 },
    "helpers": { user_us: 7, system_us: 1 },
    "profiler": { user_us: 3, system_us: 1 },
  },
  ...{ voluntary_switches: null, involuntary_switches: null, received_bytes: null, sent_bytes: null },
  ...{ minor_faults: null, major_faults: null },
} as const;

const lineOf = (name: string) => 1 + LINES.findIndex((line) => line.startsWith(`function ${name}(`));

const { profiler: _, ...served } = use.threads;
/** Without a profiler. */
const plain = { ...use, threads: served };

/** The same with a profiler that costs a fourth. */
const dearer = {
  ...use,
  ...{ requests: 24_000, user_us: 250, system_us: 10 },
  threads: { ...use.threads, main: { user_us: 240, system_us: 8 } },
} as const;

function explained(name: RuntimeName, folder: string, profile: SampledProfile) {
  const whole = samplesWithin(profile, 0, Infinity);
  assert.equal(whole.samples, profile.samples.length);
  assert.ok(whole.intervalUs! > 100, `a sample each ${whole.intervalUs} µs`);
  const cell = { point: { suite: "mills", at: {} }, label: "main" };
  return explainedCell.parse(explainCell(
    { ...{ cell, name, runtime: name, version: "1", sha256: null }, marks: [] },
    [{ plain, profiled: dearer, profile: null, system_calls: null, sampled: [whole] }],
    { layers: SOURCE_LAYERS, roots: [PROJECT_ROOT], homes: [folder] },
  ));
}

for (const name of RUNTIME_NAMES) {
  folderTest(`a profile of ${name} is parted among app, framework, unknown packages and what nobody sees`, (folder) => {
    let cell: ReturnType<typeof explained>;
    const functionsOf = (layer: string) => cell.layers.find((own) => own.layer === layer)?.functions ?? [];
    const callOf = (caller: string) => functionsOf("native-call").find((own) => own.caller === caller);
    for (let requests = REQUESTS;; requests *= 2) {
      cell = explained(name, folder, profileOf(name, folder, requests));
      if (requests === MOST_REQUESTS || Object.keys(CALLS).every((caller) => callOf(caller) !== undefined)) break;
    }
    const grind = functionsOf("app").find((own) => own.name === "grind");
    assert.deepEqual([grind?.file, grind?.line], ["mill.mjs", lineOf("grind")], name);
    assert.ok(functionsOf("unknown").some((own) => own.name === "other" && own.file === "other/index.js"), name);
    assert.ok(functionsOf("framework").every((own) => own.file === null || own.file.startsWith("hono/")), name);
    assert.ok(functionsOf("unknown").every((own) => !own.file?.startsWith("hono/")), name);
    for (const [caller, names] of Object.entries(CALLS)) {
      const called = name === "bun" ? names.at(-1) : names[0];
      const found = functionsOf("native-call").find((own) => own.caller === caller && own.name === called);
      assert.deepEqual([found?.file, found?.line], ["mill.mjs", lineOf(caller)], `${name}: ${called} of ${caller}`);
      assert.ok(!functionsOf("native").some((own) => own.name === called));
    }
    const page = functionsOf("app").find((own) => own.name.startsWith("page generated for "));
    assert.deepEqual([page?.file, page !== undefined && page.line! > 1], ["mill.mjs", true], `${name}: generated code`);
    // A function that a native call calls back is a part of the app.
    assert.ok(!functionsOf("native-call").some((own) => own.name === "grind"), name);
    // Together they are what was measured without the profiler.
    const sum = cell.layers.reduce((total, { us }) => total + us[0]!, 0);
    assert.ok(Math.abs(sum - (200 + 8)) < 1e-6, `${name}: layers sum to ${sum}`);
    assert.doesNotMatch(JSON.stringify(cell), new RegExp(folder), "a folder of this machine is told");
  });
}
