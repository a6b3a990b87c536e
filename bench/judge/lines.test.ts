import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { loadedSchema } from "../record/load-record.ts";
import { groupLines } from "./lines.ts";

test("all that was recorded of a load alone is there where a cell is judged", () => {
  const { lines } = makePlausible({ runtimes: ["node"], stores: ["map"], sizes: [10_000], rounds: 1 });
  const line = lines.find(({ kind }) => kind === "solo")!;
  const more = { workers: { by: "cluster", requests: 0, cpu_ns: 0, each: [] }, services: [[]], beside: [null] };
  const [[solo]] = [...groupLines([{ ...line, ...more } as unknown as typeof line]).solo.values()] as [[object]];
  const recorded = Object.keys(loadedSchema.shape).filter((key) => key in line || key in more);
  assert.deepEqual(recorded.filter((key) => !(key in solo)), []);
  assert.ok(recorded.includes("load") && recorded.includes("workers"), recorded.join());
});
