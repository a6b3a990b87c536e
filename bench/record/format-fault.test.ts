import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { formatFault } from "./issue-text.ts";

const schema = z.strictObject({
  schema: z.literal("levelfield.run/4"),
  state: z.string(),
  parts: z.array(z.strictObject({ schema: z.literal("levelfield.plan/2") })).optional(),
});

const faultOf = (value: unknown) => formatFault(value, schema.safeParse(value).error!);

test("a part of a newer format says that a newer Levelfield made it, whatever else is new in it", () => {
  const parts = [{ schema: "levelfield.plan/2" }, { schema: "levelfield.plan/10" }];
  assert.deepEqual(faultOf({ schema: "levelfield.run/4", states: ["a"], parts }), {
    what: 'is of version "levelfield.plan/10", made by a newer Levelfield; this Levelfield reads levelfield.plan/2',
    hint: "update Levelfield and read it again; bench --version says which this is",
  });
});

test("a file of an older or another format names both, and one without a format is damaged in another way", () => {
  const older = ["levelfield.run/3", "levelfield.plan/9", "levelfield.run/5b", "levelfield.run/-5", "x.run/5", ""];
  for (const format of older) {
    const what = `is of version "${format}", this Levelfield reads levelfield.run/4`;
    assert.deepEqual(faultOf({ schema: format, state: "a" }), { what, hint: null });
  }
  for (const value of [null, 7, {}, { schema: 5 }, { schema: null }, { schema: "levelfield.run/4" }]) {
    assert.equal(faultOf(value), null, JSON.stringify(value));
  }
});
