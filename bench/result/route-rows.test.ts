import assert from "node:assert/strict";
import { test } from "node:test";
import type { Solo } from "../judge/lines.ts";
import type { IdleReplies } from "../record/replies-schema.ts";
import { routesOf } from "./route-rows.ts";

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
  assert.deepEqual(routes, [
    {
      route: "GET /a",
      statuses: [200],
      share: 0.75,
      requests_per_second: 750,
      reply_bytes: [180, 180],
      sampled: 12,
      p50_us: 600,
      p99_us: null,
    },
    {
      route: "POST /b",
      statuses: [201],
      share: 0.25,
      requests_per_second: 250,
      reply_bytes: [90, 120],
      sampled: 1,
      p50_us: null,
      p99_us: null,
    },
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
