import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import type { Solo } from "../judge/lines.ts";
import type { CellCard } from "../record/card.ts";
import { environmentDifferences } from "./run-changes.ts";
import { servicesIn, servicesOf } from "./service-figures.ts";
import { serviceShares } from "./service-texts.ts";

const solo = (cpu_ns: number | null, messages: number, requests = 10, shared = false, version = "1") =>
  ({
    member: { server: { services: [{ name: "db", version, facts: { a: "b" }, cpus: [0], startup_ms: 3 }] } },
    services: [[{ name: "db", requests, cpu_ns, counts: { messages } }]],
    counters: { service_share: 0.5, ...(shared ? { load_core_share: 0.9 } : {}) },
  }) as unknown as Solo;

test("what a service did is told for each request, as medians over rounds", () => {
  const { services } = servicesOf([solo(100, 20), solo(300, 40), solo(200, 30), solo(null, 0, 0)]);
  assert.deepEqual(services, [{
    name: "db",
    version: "1",
    facts: { a: "b" },
    own_cpus: true,
    cpu_ns_per_request: 20,
    share: 0.5,
    counts_per_request: { messages: 3 },
  }]);
  assert.equal(servicesOf([solo(null, 20, 10, true)]).services![0]!.own_cpus, false);
  assert.equal(servicesOf([solo(null, 20)]).services![0]!.cpu_ns_per_request, null);
  assert.equal(servicesOf([solo(1, 1), solo(1, 1, 10, false, "2"), solo(1, 1)]).services![0]!.version, "1 and 2");
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
