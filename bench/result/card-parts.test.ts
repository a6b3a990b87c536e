import assert from "node:assert/strict";
import { test } from "node:test";
import type { Solo } from "../judge/lines.ts";
import type { IdleReplies } from "../record/replies-schema.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import type { CellCard } from "../record/card.ts";
import { routesOf, servicesIn, servicesOf } from "./card-parts.ts";
import { environmentDifferences } from "./run-changes.ts";
import { serviceShares, useText } from "./service-texts.ts";

const rest = (route: string, status: number, bytes: [number, number]): IdleReplies => ({
  route,
  replies: 4,
  statuses: [status],
  bytes,
  body_bytes: bytes,
});

/** One observation: what was sent of each kind, what it is answered with at rest, what samples took. */
const solo = (sent: number[], at_rest: IdleReplies[], took_us: number[][] = []) => ({
  load: { requests_per_second: 1_000, sent_per_template: sent },
  member: { at_rest },
  beside: [{ sent, asked: 0, wrong: [], took_us }],
} as unknown as Solo);

test("each kind of request has its share of the whole rate, its bytes, and latencies where enough were sampled", () => {
  const kinds = [rest("GET /a", 200, [180, 180]), rest("POST /b", 201, [90, 120])];
  const times = Array.from({ length: 12 }, (_, n) => 100 * (12 - n));
  const { routes } = routesOf([solo([7_000, 3_000], kinds, [times, [5]]), solo([8_000, 2_000], kinds)]);
  const known = { requests_per_second: 750, share: 0.75, p50_us: 600, p99_us: null };
  const few = { requests_per_second: 250, share: 0.25, p50_us: null, p99_us: null };
  assert.deepEqual(routes, [
    { route: "GET /a", statuses: [200], reply_bytes: [180, 180], sampled: 12, ...known },
    { route: "POST /b", statuses: [201], reply_bytes: [90, 120], sampled: 1, ...few },
  ]);
});

test("one kind of request has no row, unless it is answered with something else than success", () => {
  assert.deepEqual(routesOf([solo([10], [rest("GET /", 200, [1, 1])])]), {});
  assert.deepEqual(routesOf([]), {});
  const { routes } = routesOf([solo([10], [rest("GET /", 301, [99, 99])])]);
  assert.deepEqual([routes![0]!.statuses, routes![0]!.requests_per_second], [[301], 1_000]);
});

test("a generator that counts no kinds tells no share", () => {
  const kinds = [rest("GET /a", 200, [1, 1]), rest("GET /b", 200, [2, 2])];
  assert.deepEqual(routesOf([solo([], kinds)]).routes!.map(({ share }) => share), [null, null]);
});

const served = (cpu_ns: number | null, messages: number, requests = 10, shared = false, version = "1") =>
  ({
    member: { server: { services: [{ name: "db", version, facts: { a: "b" }, cpus: [0], startup_ms: 3 }] } },
    services: [[{ name: "db", requests, cpu_ns, counts: { messages } }]],
    counters: { service_share: 0.5, ...(shared ? { load_core_share: 0.9 } : {}) },
  }) as unknown as Solo;

test("what a service did is told for each request, as medians over rounds", () => {
  const { services } = servicesOf([served(100, 20), served(300, 40), served(200, 30), served(null, 0, 0)]);
  assert.deepEqual(services, [{
    name: "db",
    version: "1",
    facts: { a: "b" },
    own_cpus: true,
    cpu_ns_per_request: 20,
    share: 0.5,
    counts_per_request: { messages: 3 },
  }]);
  assert.equal(servicesOf([served(null, 20, 10, true)]).services![0]!.own_cpus, false);
  assert.equal(servicesOf([served(null, 20)]).services![0]!.cpu_ns_per_request, null);
  assert.equal(servicesOf([served(1, 1), served(1, 1, 10, false, "2"), served(1, 1)]).services![0]!.version, "1 and 2");
  assert.deepEqual(servicesOf([{ member: { server: {} } } as unknown as Solo]), {});
});

test("how much of a request is a service's is a sentence, with the cells it follows from", () => {
  const card = (name: string, server: number | null, ns: number | null, label = "main") =>
    ({
      name,
      cell: { label },
      cpu_ns_per_request: server,
      services: [{ name: "db", cpu_ns_per_request: ns }],
    }) as unknown as CellCard;
  const told = [card("a", 30_000, 10_000), card("b", 10_000, 10_000), card("aa", 1, 99, "aa"), card("c", null, 1)];
  assert.deepEqual(serviceShares({}, told), {
    services: [{
      name: "db",
      least: 0.25,
      greatest: 0.5,
      cells: ["a", "b"],
      sentence: "db takes 25 % to 50 % of a request's CPU time: 10.0µs.",
    }],
  });
  assert.match(serviceShares({ generator: "in-process" }, told).services![0]!.sentence, /of a call's CPU time/);
  assert.deepEqual(serviceShares({}, [card("a", 1, null), { ...card("b", 1, 1), services: [] }]), {});
});

const beside = (...versions: readonly string[]) =>
  versions.map((version) => ({
    members: [{ server: { services: [{ name: "db", version, facts: { fsync: "on" }, cpus: null, startup_ms: 1 }] } }],
  })) as unknown as Parameters<typeof servicesIn>[0];

test("a service of another version, or with other settings, differs between two runs", () => {
  assert.deepEqual(servicesIn(beside("15", "15", "16")), { db: { version: "15 and 16", fsync: "on" } });
  const { run } = makeFixture({ sizes: [10_000], stores: ["map"], rounds: 2 });
  const told = environmentDifferences({ run, lines: beside("15") }, { run, lines: beside("16") });
  assert.deepEqual(told, ['service: db.version: "15" -> "16"']);
  assert.deepEqual(environmentDifferences({ run, lines: beside("15") }, { run, lines: beside("15") }), []);
});

const counting = (counts_per_request: Record<string, number>) => {
  const service = { name: "db", version: "1", facts: {}, own_cpus: true, cpu_ns_per_request: 1, share: 0.1 };
  return { services: [{ ...service, counts_per_request }] };
};

test("uses are alike where round trips and statements parsed are, whatever the last digit", () => {
  assert.equal(useText(counting({ round_trips: 1.02, parse: 0.98, execute: 1 })), "1 round trip, 1 statement parsed");
  assert.equal(useText(counting({ round_trips: 9.6, execute: 20 })), "10 round trips, prepared");
  assert.equal(useText(counting({ round_trips: 1.3, get: 20 })), "1 round trip", "another protocol parses nothing");
  assert.equal(useText(counting({})), null);
  assert.equal(useText({}), null);
});
