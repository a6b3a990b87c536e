import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { connect } from "./connect.ts";
import { drawRequests } from "./drawn-requests.ts";
import { installHint, type LoadPlan } from "./generator.ts";
import { whyExposed, whyNot } from "./refuse.ts";
import { GENERATORS } from "./registry.ts";

const one: RequestPlan = { pace: { closed: 5 }, mix: [{ path: "/health", expect: [200] }] };
const hex16 = [1, 2, 3, 4] as const;
const paths: RequestPlan = {
  pace: { closed: 5 },
  mix: [{ path: "/things/{id}", expect: [200] }],
  draws: { id: { kind: "uniform", below: 50, as: { hex16 } } },
};
const bodies: RequestPlan = {
  ...paths,
  mix: [{ method: "POST", path: "/things", body: '{"id":"{id}"}', expect: [200] }],
};
const serial: RequestPlan = { ...bodies, draws: { id: { kind: "serial", from: 7 } } };
const missing: RequestPlan = {
  ...paths,
  draws: { id: { kind: "uniform", below: 50, miss: { share: 0.1, expect: [404] } } },
};

const takers = (requests: RequestPlan) =>
  Object.values(GENERATORS).filter((generator) => whyNot(generator, requests) === null).map(({ name }) => name);

test("a generator is asked for nothing it cannot do, and says what that is", () => {
  const all = ["wrk", "ontime", "h2load"];
  assert.deepEqual(takers(one), all);
  assert.deepEqual(takers(paths), all);
  assert.deepEqual(takers(bodies), ["wrk", "ontime"]);
  assert.deepEqual(takers(serial), ["wrk", "ontime"]);
  assert.deepEqual(takers(missing), ["wrk", "ontime"]);
  assert.deepEqual(takers({ ...one, pace: { perSecond: 10, connections: 5 } }), ["ontime", "h2load"]);
  assert.deepEqual(takers({ ...one, connection: "new" }), ["wrk"]);
  assert.match(whyNot(connect, { ...paths, connection: "new" })!, /^connect sends one request again and again$/);
  assert.match(whyNot(GENERATORS["h2load"]!, serial)!, /^h2load .*"id" must never come twice/);
});

test("a generator that takes requests as arguments, which all users may read, is given no secret", () => {
  const asked = (path: string, headers: Readonly<Record<string, string>> = {}): RequestPlan => ({
    pace: { closed: 1 },
    mix: [{ path, headers, expect: [200] }],
  });
  const harmless = asked("/?page=2", { accept: "*/*", authorization: "Bearer {token}" });
  const { h2load } = GENERATORS as { readonly h2load: (typeof GENERATORS)[string] };
  assert.equal(whyNot(h2load, harmless), null);
  for (const name of ["Cookie", "x-auth-token", "X-Acme-Access-Token", "session"]) {
    assert.equal(takers(asked("/", { [name]: "x" })).includes("h2load"), false, name);
    assert.ok(takers(asked("/", { [name]: "***" })).includes("h2load"), name);
  }
  assert.deepEqual(takers(asked("/", { Authorization: "Bearer x" })), ["wrk", "ontime"]);
  assert.match(
    whyNot(h2load, asked("/", { "X-Api-Key": "x" }))!,
    /every user here may read, header "X-Api-Key" too: --generator wrk$/,
  );
});

/** Secrets under names that do not say so; made up. */
const JWT = `eyJ${"hbGciOi".repeat(3)}.eyJ${"zdWIiOi".repeat(3)}.c2ln`;
const BY_VALUE: readonly (readonly [header: string, value: string])[] = [
  ["X-Forwarded-Auth", `ghp_${"aB3".repeat(12)}`],
  ["X-User", JWT],
  ["X-Upstream", "Bearer aBcDeF0123456789"],
  ["X-Upstream", "Basic dXNlcjpodW50ZXIy"],
  ["X-Database", "postgres://app:hunter2@localhost/app"],
  ["X-Form", "a=1&password=hunter2"],
  ["X-Key", "q7Fh2kLp9Zx4Vb8Nm3Tr6Yw1"],
];

test("a secret is known by its value, too, and the refusal names a generator that hides it", () => {
  for (const [header, value] of BY_VALUE) {
    const requests: RequestPlan = {
      pace: { closed: 1 },
      mix: [{ path: "/", expect: [200] }, { path: "/", headers: { accept: "*/*", [header]: value }, expect: [200] }],
    };
    const why = whyExposed(GENERATORS["h2load"]!, requests)!;
    assert.match(why, new RegExp(`^h2load takes its requests as arguments, .* "?${header}"? too: --generator wrk`));
    assert.ok(!why.includes(value), why);
    assert.notEqual(whyNot(GENERATORS["h2load"]!, requests), null);
    assert.equal(whyExposed(GENERATORS["wrk"]!, requests), null);
  }
  const inPath: RequestPlan = { pace: { closed: 1 }, mix: [{ path: `/reset/${JWT}`, expect: [200] }] };
  assert.equal(whyNot(GENERATORS["h2load"]!, inPath), null, "it takes its paths by a file");
});

test("a refused secret names what hides it at each protocol and pace", () => {
  const why = (name: string, change: Partial<RequestPlan>) =>
    whyNot(GENERATORS[name]!, {
      ...{ pace: { closed: 1 }, mix: [{ path: "/", headers: { cookie: "a=b" }, expect: [200] }] },
      ...change,
    })!.split(" too: ")[1];
  const rate = { perSecond: 10, connections: 5 };
  assert.equal(why("h2load", {}), "--generator wrk");
  assert.equal(why("h2load", { pace: rate }), "--generator ontime");
  assert.equal(why("h2load", { protocol: "https" }), "--generator wrk");
  assert.match(why("h2load", { protocol: "https", pace: rate })!, /^h2load alone keeps a rate over TLS, so use /);
  for (const protocol of ["h2", "h2c"] as const) {
    assert.equal(
      why("h2load", { protocol }),
      `h2load alone speaks ${protocol}, so use --protocol https or a stand-in value`,
    );
  }
});

test("what a generator is given stands in a file where arguments would show it", () => {
  const plan: LoadPlan = {
    targets: [{
      url: "http://127.0.0.1:1",
      requests: {
        pace: { closed: 1 },
        mix: [{ path: "/?token=hidden", headers: { cookie: "hidden" }, expect: [200] }],
      },
    }],
    threads: 1,
    durationMs: 1_000,
    timeoutMs: 1_000,
    seed: 1,
    load: 0,
  };
  for (const generator of Object.values(GENERATORS)) {
    if (whyNot(generator, plan.targets[0].requests) !== null) continue;
    const shown = JSON.stringify([generator.args(plan, "/f"), generator.env(plan)]);
    assert.doesNotMatch(shown, /hidden/, generator.name);
  }
});

test("every generator says how to get it, and reads its version from what it prints of itself", () => {
  const printed: Readonly<Record<string, readonly [string, string]>> = {
    wrk: ["wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer", "debian/4.1.0-3+b2"],
    ontime: ["wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer", "debian/4.1.0-3+b2"],
    h2load: ["h2load nghttp2/1.52.0\n", "1.52.0"],
  };
  assert.deepEqual(Object.keys(printed), Object.keys(GENERATORS));
  for (const [name, generator] of Object.entries(GENERATORS)) {
    assert.equal(generator.name, name);
    assert.equal(generator.parseVersion(printed[name]![0]), printed[name]![1]);
    assert.equal(generator.parseVersion("command not found"), undefined);
    assert.match(installHint(generator), /^"[^"]+"(, "[^"]+")*( or "[^"]+")?$/, name);
  }
  assert.equal(installHint({ install: { npm: "npm ci" } }), '"npm ci"');
});

test("requests are drawn beforehand by seed, whole, in the shares of the mix", () => {
  const drawn = drawRequests(paths, 7, 2_000);
  assert.deepEqual(drawRequests(paths, 7, 2_000), drawn);
  assert.notDeepEqual(drawRequests(paths, 8, 2_000), drawn);
  assert.ok(
    drawn.every(({ path, method, body }) => /^\/things\/[0-9a-f]{16}$/.test(path) && method === "GET" && body === ""),
  );
  assert.equal(new Set(drawn.map(({ path }) => path)).size, 50);
  assert.equal(drawRequests(one, 7).length, 1);
  const mixed = drawRequests(
    { ...one, mix: [{ path: "/a", weight: 9, expect: [200] }, { path: "/b", expect: [200] }] },
    7,
    2_000,
  );
  const share = mixed.filter(({ path }) => path === "/b").length / mixed.length;
  assert.equal(
    drawRequests(
      { ...one, mix: [{ path: "/a", weight: 9, expect: [200] }, { path: "/b", weight: 0, expect: [200] }] },
      7,
    ).every(({ path }) => path === "/a"),
    true,
  );
  assert.ok(Math.abs(share - 0.1) < 0.03, `${share}`);
});

test("of each 64 numbers drawn uniformly one is from each 64th of them", () => {
  const draws = { k: { kind: "uniform", below: 6_400 } } as const;
  const drawn = drawRequests({ ...one, mix: [{ path: "/{k}", expect: [200] }], draws }, 3, 640);
  const strata = drawn.map(({ path }) => Math.floor(Number(path.slice(1)) / 100));
  const all = Array.from({ length: 64 }, (_, stratum) => stratum);
  for (let n = 0; n < 640; n += 64) {
    assert.deepEqual(strata.slice(n, n + 64).toSorted((a, b) => a - b), all);
  }
  assert.notDeepEqual(strata.slice(0, 64), strata.slice(64, 128));
});

test("hot keys and zipf are drawn as often as they say", () => {
  const count = (draws: NonNullable<RequestPlan["draws"]>) => {
    const drawn = drawRequests({ ...one, mix: [{ path: "/{k}", expect: [200] }], draws }, 3, 20_000);
    return drawn.filter(({ path }) => path === "/0").length / drawn.length;
  };
  assert.ok(Math.abs(count({ k: { kind: "hot", below: 1_000, keys: 1, share: 0.5 } }) - 0.5) < 0.02);
  // 1 over the sum of 1/(k+1) for 1000 keys.
  assert.ok(Math.abs(count({ k: { kind: "zipf", below: 1_000, exponent: 1 } }) - 0.1336) < 0.01);
});

test("a header says so where each request has a connection of its own", () => {
  const [first] = drawRequests({ ...one, connection: "new" }, 1);
  assert.deepEqual(first!.headers, [["Connection", "close"]]);
});
