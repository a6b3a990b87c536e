import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Explanation } from "../bench/record/explanation-schema.ts";

/** Asserts that each explained cell has so many passes, with the use of a request and a raw profile of its `app.mjs`. */
export function assertExplained(folder: string, { cells }: Pick<Explanation, "cells">, count: number): void {
  for (const { runtime, passes, profiler_share } of cells) {
    assert.equal(passes.length, count);
    assert.ok(profiler_share !== null, `${runtime}`);
    for (const { plain, profiled, profile } of passes) {
      assert.ok(plain.user_us > 0 && plain.system_us > 0 && plain.threads.main !== undefined, runtime!);
      assert.ok(plain.sent_bytes! > 1_000 && plain.sent_bytes! < 1_500, `${plain.sent_bytes}`);
      assert.equal(plain.threads.profiler, undefined, runtime!);
      assert.ok(profiled!.threads.profiler !== undefined, runtime!);
      const { nodes } = JSON.parse(readFileSync(join(folder, profile!), "utf8"));
      assert.ok(JSON.stringify(nodes).includes("app.mjs"), `${runtime}: the app was sampled`);
    }
  }
}
