import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { runRecord } from "../../bench/record/run-record.ts";
import { hostilePlans, waysTo } from "./hostile-plans.ts";
import { textFields, textPlaces } from "./text-fields.ts";

const baits = {
  ...{ folder: "/x/baits", marker: "/x/marker", module: "/x/baits/module.ts", program: "/x/baits/program.sh" },
  ...{ secret: "/x/baits/secret", url: "http://127.0.0.1:9/" },
};

test("400 hostile plans have a path in each text field of a run.json once, and each way to name one as a suite's name", async () => {
  const plans = await hostilePlans(baits);
  assert.ok(plans.length >= 400);
  const tried = new Set(plans.map(({ field }) => field));
  assert.deepEqual(textFields(runRecord).filter((field) => !tried.has(field)), []);
  const names = new Set(plans.map(({ run }) => run.plan.suite.name));
  assert.deepEqual(waysTo(baits).filter((way) => !names.has(way)), []);
  const same = Map.groupBy(plans, ({ run }) => JSON.stringify(run));
  assert.deepEqual([...same.values()].filter((all) => all.length > 2).map((all) => all.map(({ name }) => name)), []);
});

test("fields of a schema and places of a record are found at every depth, names of entries among them", () => {
  const inner = z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("a"), file: z.string() }),
    z.strictObject({ kind: z.literal("b"), word: z.string().nullable(), way: z.enum(["x", "y"]) }),
  ]);
  const schema = z.strictObject({
    of: z.record(z.string(), z.array(inner)),
    either: z.union([z.string(), z.number()]),
  });
  const fields = ["either", "of{key}", "of{}[].file", "of{}[].word"];
  assert.deepEqual(textFields(schema).sort(), fields);
  const record = {
    of: { __proto__: null, one: [{ kind: "a", file: "f" }, { kind: "b", word: "w", way: "x" }] },
    either: "e",
  };
  const places = textPlaces(schema, record);
  assert.deepEqual(places.map(({ field, text }) => `${field} ${text}`).sort(), [
    "either e",
    "of{key} one",
    "of{}[].file f",
    "of{}[].word w",
  ]);
  const changed = places.map(({ put }) => {
    const copy = structuredClone(record);
    put(copy, "__proto__");
    return JSON.stringify(copy);
  });
  const whole = JSON.stringify(record);
  assert.deepEqual(
    changed.sort(),
    ['"one"', '"f"', '"w"', '"e"'].map((text) => whole.replace(text, '"__proto__"')).sort(),
  );
});
