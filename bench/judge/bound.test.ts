import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOf, boundOfCounters } from "./bound.ts";
import { BOUND } from "../record/outcome-schema.ts";
import { THRESHOLDS } from "./thresholds.ts";

const { serverBoundShare: s, generatorBoundShare: g } = THRESHOLDS;

test("a busy server is the limit, then a busy generator; what cannot be read is unknown, never fine", () => {
  const cases = [
    ...[[s, 0.3, "server"], [1.02, 1, "server"], [s, null, "server"]],
    ...[[s - 0.01, g, "generator"], [s - 0.01, g - 0.01, "neither"]],
    ...[[null, 0.1, "unknown"], [null, 1, "unknown"], [0.5, null, "unknown"]],
  ] as const;
  for (const [server, generator, bound] of cases) {
    assert.equal(boundOf(server, generator), bound, `${server} ${generator}`);
  }
});

test("a server of one thread on two CPUs is the limit when its thread is busy all the time", () => {
  const cases = [
    [0.5, 0.99, 0.4, "server", "one thread"],
    [0.5, 0.99, 0.99, "server", "the server is asked first"],
    [0.5, 0.5, 0.99, "generator", ""],
    [0.5, 0.5, 0.4, "neither", ""],
    [0.99, 0.3, 0.4, "server", "many threads, none busy all the time"],
    [0.5, null, 0.4, "neither", ""],
    [null, 0.99, 0.4, "unknown", ""],
  ] as const;
  for (const [server_share, server_thread_share, generator_share, bound, why] of cases) {
    assert.equal(boundOfCounters({ server_share, server_thread_share, generator_share }), bound, why);
  }
});

test("a busy service is the limit; on one full core with the generator, whoever has more of it", () => {
  const cases = [
    [0.6, g, 0.3, undefined, "service"],
    [0.6, 0.5, 0.3, undefined, "neither"],
    [0.6, 0.6, 0.37, g, "service"],
    [0.6, 0.3, 0.67, g, "generator"],
    [0.6, null, 0.3, undefined, "neither"],
    // The server is asked first.
    [s, 1, 0.3, undefined, "server"],
  ] as const;
  for (const [share, service_share, generator_share, load_core_share, bound] of cases) {
    const shares = { server_share: share, server_thread_share: share, generator_share, service_share, load_core_share };
    assert.equal(boundOfCounters(shares), bound, JSON.stringify(shares));
  }
});

test("the disk is the limit where a server waited for it most of the time that its core was idle", () => {
  const cases = [
    [0.7, 0.28, "disk", ""],
    [0.7, 0.16, "disk", ""],
    [0.7, 0.14, "neither", "it slept for longer"],
    [0.7, undefined, "neither", "a system that does not count it"],
    [0.7, null, "neither", ""],
    [null, 0.5, "neither", ""],
    [0.98, 0.02, "neither", "less than the ticks of a busy core"],
  ] as const;
  for (const [core_share, disk_share, bound, why] of cases) {
    const server_share = core_share === null ? 0.6 : core_share - 0.05;
    const shares = { server_share, server_thread_share: 0.4, generator_share: 0.3, core_share };
    assert.equal(boundOfCounters({ ...shares, ...(disk_share === undefined ? {} : { disk_share }) }), bound, why);
  }
  assert.equal(BOUND.disk.own && BOUND.server.own, true);
  assert.equal(BOUND.neither.own || BOUND.service.own, false);
});
