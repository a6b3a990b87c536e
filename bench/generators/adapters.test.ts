/** What every generator's adapter makes of real outputs, recorded from the versions named in the files. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RequestPlan } from "../../suites/suite.ts";
import { percentileUs } from "../statistics/latency-histogram.ts";
import { judgeLoad } from "../judge/judge-load.ts";
import { recorded } from "../../tests/fixtures/recorded-load.ts";
import type { LoadPlan } from "./generator.ts";
import { busyConnectionShare } from "./h2load.ts";
import { GENERATORS } from "./registry.ts";

const FIXTURES = fileURLToPath(new URL("../../tests/fixtures/generators/", import.meta.url));

const read = (file: string) => readFileSync(join(FIXTURES, file), "utf8");

/** The versions each was recorded from. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  h2load: ["1.64.0", "1.52.0"],
};

const closed: RequestPlan = { pace: { closed: 20 }, mix: [{ path: "/health", expect: [200] }] };
const open = (perSecond: number): RequestPlan => ({ ...closed, pace: { perSecond, connections: 20 } });

const planOf = (requests: RequestPlan, change: Partial<LoadPlan> = {}): LoadPlan => ({
  targets: [{ url: "http://127.0.0.1:8791", requests }],
  threads: 1,
  durationMs: 1_000,
  timeoutMs: 10_000,
  seed: 7,
  load: 0,
  ...change,
});

function parsed(
  name: string,
  version: string,
  kind: string,
  requests: RequestPlan = closed,
  change: Partial<LoadPlan> = {},
) {
  const base = `${name}-${version}${kind}`;
  const files = existsSync(join(FIXTURES, `${base}.tsv`)) ? { "requests.tsv": read(`${base}.tsv`) } : {};
  return GENERATORS[name]!.parse(read(`${base}.txt`), planOf(requests, change), files);
}

const codes = (result: ReturnType<typeof parsed>, perSecond?: number) =>
  judgeLoad(recorded(result, 20, perSecond ?? null), {
    whose: "window",
    members: [],
    given: { serverCpus: null, loadCpus: null },
  })
    .map(({ code }) => code);

const each = Object.entries(RECORDED).flatMap(([name, versions]) =>
  versions.map((version) => [name, version] as const)
);

test("a sound load of every generator is read whole, and nothing speaks against it", () => {
  for (const [name, version] of each) {
    const what = `${name} ${version}`;
    const result = parsed(name, version, "");
    assert.ok(result.requests >= 300 && result.durationUs > 1e5, what);
    assert.deepEqual(codes(result), [], `${what}: ${JSON.stringify({ ...result, latency: null })}`);
    assert.notEqual(result.latency, null, what);
  }
});

test("what a generator cannot tell is null, and it says why", () => {
  for (const [name, version] of each) {
    const { errors, bytes, untold, latency, threads } = parsed(name, version, "");
    const nulls = Object.entries(errors).filter(([, value]) => value === null).map(([key]) => `errors.${key}`);
    const lacking = [
      ...nulls,
      ...(bytes === null ? ["reply_bytes"] : []),
      ...(latency === null ? ["histogram"] : []),
      ...(threads.length === 0 ? ["sent_per_slot", "sent_per_template"] : []),
    ];
    for (const field of lacking) assert.ok((untold[field] ?? "").length > 10, `${name} ${version}: ${field}`);
  }
});

test("replies with an error status, and those that never came, are never a sound load", () => {
  for (const [name, version] of each) {
    const result = parsed(name, version, "-bad");
    assert.ok(result.errors.status! > 0, `${name} ${version}`);
    assert.ok(codes(result).includes("unexpected-status"), `${name} ${version}: ${codes(result)}`);
  }
});

test("where nobody listens there are no requests, whatever a generator calls complete", () => {
  for (
    const [name, version] of each.filter(([name, version]) => existsSync(join(FIXTURES, `${name}-${version}-none.txt`)))
  ) {
    const result = parsed(name, version, "-none");
    assert.equal(result.requests, 0, `${name} ${version}`);
    assert.ok(codes(result).includes("no-requests"), `${name} ${version}`);
  }
  for (const version of RECORDED["h2load"]!) {
    const refused = parsed("h2load", version, "-refused");
    assert.equal(refused.requests, 0);
    assert.ok(refused.errors.other! > 0);
  }
});

test("an open loop counts what it could not send, and h2load by how much it was late", () => {
  const rates = each.filter(([name, version]) => existsSync(join(FIXTURES, `${name}-${version}-open.txt`)));
  const able = Object.values(GENERATORS).filter(({ abilities }) => abilities.openLoop).map(({ name }) => name);
  // The project's generator is tried itself: see ontime.test.ts.
  assert.deepEqual(new Set(rates.map(([name]) => name)), new Set(able.filter((name) => name !== "ontime")));
  for (const [name, version] of rates) {
    const rate = 1_000;
    const kept = parsed(name, version, "-open", open(rate));
    assert.ok(kept.dropped! <= 0.01 * rate, `${name} ${version}: ${kept.dropped}`);
    assert.ok(kept.requests > 0.98 * rate && kept.requests <= 1.01 * rate, `${name} ${version}: ${kept.requests}`);
    assert.deepEqual(codes(kept, rate), [], `${name} ${version}`);
  }
  // 50k a second for 10 ms, of a server that takes 100 ms, over 20 connections.
  const over = parsed("h2load", "1.52.0", "-over", open(50_000), { durationMs: 10 });
  assert.deepEqual([over.dropped, over.requests], [0, 500]);
  assert.ok(over.durationUs > 2e6, "at 200 a second it takes two and a half");
  assert.ok(percentileUs(over.late!, 0.1) > 1_000 && percentileUs(over.late!, 0.99) > 2e6, JSON.stringify(over.late));
});

test("output that is cut off, empty or of something else is an error in one line, never a result", () => {
  for (const [name, version] of each) {
    const whole = read(`${name}-${version}.txt`);
    for (const output of ["", "\n", whole.slice(0, whole.length / 3), "Segmentation fault\n", "{}", "levelfield {}"]) {
      assert.throws(
        () => GENERATORS[name]!.parse(output, planOf(closed), {}),
        (error: Error) => error.message.startsWith(name) || error.message.startsWith(`what ${name}`),
        `${name} ${version}: ${JSON.stringify(output.slice(0, 40))}`,
      );
    }
  }
});

test("h2load's histogram holds one count a request, exact to the microsecond", () => {
  for (const version of RECORDED["h2load"]!) {
    const { latency, requests } = parsed("h2load", version, "");
    assert.equal(latency!.reduce((sum, [, count]) => sum + count, 0), requests);
    assert.ok(latency!.every(([us], n) => n === 0 || us > latency![n - 1]![0]));
  }
});

test("recorded outputs name no machine but the loopback", () => {
  for (const file of readdirSync(FIXTURES)) {
    const text = read(file);
    for (const [address] of text.matchAll(/\b\d+\.\d+\.\d+\.\d+\b/g)) assert.equal(address, "127.0.0.1", file);
    assert.ok(!/\/(home|root|tmp|work|Users)\//.test(text), file);
  }
});

test("each generator is told connections, time, a timeout and where its files are", () => {
  const posted: RequestPlan = {
    pace: { closed: 100 },
    mix: [{ method: "POST", path: "/echo", headers: { "x-a": "b" }, body: "{}", expect: [200] }],
  };
  const line = (name: string, requests: RequestPlan, change?: Partial<LoadPlan>) =>
    GENERATORS[name]!.args(planOf(requests, change), "/f").join(" ");
  assert.match(
    line("h2load", posted),
    /^--h1 -t 1 -c 100 -D 1 -m 1 -N 10 -H x-a: b -H Content-Type: application\/json -H user-agent: levelfield -d /,
  );
  assert.match(
    line("h2load", open(500)),
    /^--h1 -t 1 -c 20 -n 500 -r 1 --rate-period=2ms --rps=25 -m 1 -N 10 -H user-agent: levelfield --log-file=/,
  );
  assert.match(line("h2load", open(5), { durationMs: 2_000 }), / -c 10 -n 10 -r 1 --rate-period=200ms --rps=0.5 /);
  assert.match(line("h2load", open(700)), / -r 3 --rate-period=4ms /);
});

test("h2load speaks what is asked for, and a load of it that is watched is known by its log alone", () => {
  const { h2load } = GENERATORS as { readonly h2load: (typeof GENERATORS)[string] };
  const args = (requests: Partial<RequestPlan>) => h2load.args(planOf({ ...closed, ...requests }), "F");
  for (const [protocol, isHttp1] of [["http", true], ["https", true], ["h2", false], ["h2c", false]] as const) {
    assert.equal(args({ protocol }).includes("--h1"), isHttp1, protocol);
  }
  const watch = h2load.watch();
  const lines = Array.from({ length: 50 }, (_, n) => `${1_700_000_000_000_000 + 1_000 * n}\t200\t500`);
  const told = lines.flatMap((line) => watch(line) ?? []);
  assert.deepEqual(told.map(({ requests }) => requests), [1, 21, 41]);
  assert.equal(watch("TLS Protocol: TLSv1.3"), undefined);
  const result = h2load.parse(["Cipher: none", ...lines].join("\n"), planOf(closed, { watched: true }), {});
  assert.deepEqual([result.requests, result.durationUs], [50, 49_500]);
  assert.deepEqual(result.threads[0]!.sent, [50]);
});

test("a user agent that was named is sent, and else ours by h2load, which cannot leave it out", () => {
  const named: RequestPlan = { ...closed, mix: [{ path: "/", headers: { "User-Agent": "mine" }, expect: [200] }] };
  const agents = (requests: RequestPlan) =>
    GENERATORS["h2load"]!.args(planOf(requests), "/f").filter((text) => /^user-agent/i.test(text));
  assert.deepEqual(agents(named), ["User-Agent: mine"]);
  assert.deepEqual(agents(closed), ["user-agent: levelfield"]);
});

test("the share of connections that still send is known by the log, whatever ends them", () => {
  // 50 connections, a reply each millisecond; the rest of them ends at a moment.
  const log = (ended: number, atMs: number) =>
    Array.from(
      { length: 50 },
      (_, connection) =>
        Array.from({ length: connection < ended ? atMs : 1_000 }, (_, ms) => ({ atUs: 1_000 * ms, tookUs: 1_000 })),
    ).flat();
  const share = (ended: number, atMs: number) => busyConnectionShare(log(ended, atMs), 1_000_000)!;
  assert.ok(Math.abs(share(0, 0) - 1) < 0.02);
  assert.ok(share(50, 500) < 0.01);
  assert.ok(Math.abs(share(20, 500) - 0.6) < 0.02);
  assert.equal(busyConnectionShare([{ atUs: 0, tookUs: 900_000 }], 1_000_000), null);
});
