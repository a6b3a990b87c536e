import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../../bench/basics/random.ts";
import { findProgram } from "../../../bench/machine/programs.ts";
import { mutateStream } from "./mutate-stream.ts";
import { STREAM_TARGETS } from "./targets.ts";
import { tryStreams } from "./try-streams.ts";

const luaTest = findProgram("wrk") === undefined ? test.skip : test;
const SEED = 1, COUNT = 200;

for (const target of STREAM_TARGETS) {
  luaTest(`${target.name}: mutated streams neither crash it, nor leave its arrays, nor hold it up`, async () => {
    const tried = await tryStreams(target, { count: COUNT, seed: SEED, stopped: () => false, progress: () => {} });
    assert.deepEqual(tried, { sent: COUNT, fault: null });
  });
}

test("a seed gives the same mutations, and streams come unchanged, cut, longer and in pieces", () => {
  const stream = Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(20));
  const all = Array.from({ length: COUNT }, (_, n) => mutateStream(stream, createRandom(n)));
  assert.deepEqual(all, Array.from({ length: COUNT }, (_, n) => mutateStream(stream, createRandom(n))));
  const bytes = all.map((delivery) => Buffer.concat(delivery.map((piece) => piece.bytes)));
  for (
    const [kind, is] of Object.entries({
      unchanged: (one: Buffer) => one.equals(stream),
      cut: (one: Buffer) => one.length < stream.length,
      longer: (one: Buffer) => one.length > stream.length,
    })
  ) assert.ok(bytes.filter(is).length > COUNT / 20, kind);
  assert.ok(all.some((delivery) => delivery.length > 1 && delivery.some(({ pauseMs }) => pauseMs > 0)));
});

test("every part of a short stream can be changed, its end too", () => {
  for (const text of ["a", "ab", ""]) {
    for (let n = 0; n < 5 * COUNT; n++) {
      assert.ok(mutateStream(Buffer.from(text), createRandom(n)).length > 0, `${text} ${n}`);
    }
  }
});
