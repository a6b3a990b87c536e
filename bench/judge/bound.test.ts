import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOf, boundOfCounters } from "./bound.ts";
import { BOUND } from "../record/bound-table.ts";
import { THRESHOLDS } from "./thresholds.ts";

const { serverBoundShare: s, generatorBoundShare: g } = THRESHOLDS;

test("a busy server is the limit, also when the generator is as busy", () => {
  assert.equal(boundOf(s, 0.3), "server");
  assert.equal(boundOf(1.02, 1), "server");
  assert.equal(boundOf(s, null), "server");
});

test("a busy generator before an idle server is the limit, and neither is neither", () => {
  assert.equal(boundOf(s - 0.01, g), "generator");
  assert.equal(boundOf(s - 0.01, g - 0.01), "neither");
});

test("what cannot be read is unknown, never fine", () => {
  assert.equal(boundOf(null, 0.1), "unknown");
  assert.equal(boundOf(null, 1), "unknown");
  assert.equal(boundOf(0.5, null), "unknown");
});

test("a server of one thread on two CPUs is the limit when its thread is busy all the time", () => {
  const of = (server_share: number | null, server_thread_share: number | null, generator_share: number | null) =>
    boundOfCounters({ server_share, server_thread_share, generator_share });
  assert.equal(of(0.5, 0.99, 0.4), "server");
  assert.equal(of(0.5, 0.99, 0.99), "server", "the server is asked first");
  assert.equal(of(0.5, 0.5, 0.99), "generator");
  assert.equal(of(0.5, 0.5, 0.4), "neither");
  assert.equal(of(0.99, 0.3, 0.4), "server", "many threads, none busy all the time");
  assert.equal(of(0.5, null, 0.4), "neither");
  assert.equal(of(null, 0.99, 0.4), "unknown");
});

test("a busy service is the limit; on one full core with the generator, whoever has more of it", () => {
  const of = (service_share: number | null, generator_share: number, load_core_share?: number) =>
    boundOfCounters({ server_share: 0.6, server_thread_share: 0.6, generator_share, service_share, load_core_share });
  assert.equal(of(g, 0.3), "service");
  assert.equal(of(0.5, 0.3), "neither");
  assert.equal(of(0.6, 0.37, g), "service");
  assert.equal(of(0.3, 0.67, g), "generator");
  assert.equal(of(null, 0.3), "neither");
  assert.equal(
    boundOfCounters({ server_share: s, server_thread_share: s, generator_share: 0.3, service_share: 1 }),
    "server",
    "the server is asked first",
  );
});

test("the disk is the limit where a server waited for it most of the time that its core was idle", () => {
  const of = (core_share: number | null, disk_share?: number | null) =>
    boundOfCounters({
      server_share: core_share === null ? 0.6 : core_share - 0.05,
      server_thread_share: 0.4,
      generator_share: 0.3,
      core_share,
      ...(disk_share === undefined ? {} : { disk_share }),
    });
  assert.equal(of(0.7, 0.28), "disk");
  assert.equal(of(0.7, 0.16), "disk");
  assert.equal(of(0.7, 0.14), "neither", "it slept for longer");
  assert.equal(of(0.7), "neither", "a system that does not count it");
  assert.equal(of(0.7, null), "neither");
  assert.equal(of(null, 0.5), "neither");
  assert.equal(of(0.98, 0.02), "neither", "less than the ticks of a busy core");
  assert.equal(BOUND.disk.own && BOUND.server.own, true);
  assert.equal(BOUND.neither.own || BOUND.service.own, false);
});
