import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { formatFault } from "./format-fault.ts";

const schema = z.strictObject({
  schema: z.literal("levelfield.run/4"),
  state: z.string(),
  parts: z.array(z.strictObject({ schema: z.literal("levelfield.plan/2") })).optional(),
});

const faultOf = (value: unknown) => formatFault(value, schema.safeParse(value).error!);

test("a file of a newer format says that a newer Levelfield made it, whatever else is new in it", () => {
  for (const format of ["levelfield.run/5", "levelfield.run/40"]) {
    assert.deepEqual(faultOf({ schema: format, states: ["a"], more: 1 }), {
      what: `is of version "${format}", made by a newer Levelfield; this Levelfield reads levelfield.run/4`,
      hint: "update Levelfield and read it again; bench --version says which this is",
    });
  }
  assert.deepEqual(
    faultOf({
      schema: "levelfield.run/4",
      state: "a",
      parts: [{ schema: "levelfield.plan/2" }, { schema: "levelfield.plan/10" }],
    })
      ?.what,
    'is of version "levelfield.plan/10", made by a newer Levelfield; this Levelfield reads levelfield.plan/2',
  );
});

test("a file of an older or another format names both, and a newer one is not made up", () => {
  for (
    const format of ["levelfield.run/3", "levelfield.plan/9", "levelfield.run/5b", "levelfield.run/-5", "x.run/5", ""]
  ) {
    assert.deepEqual(faultOf({ schema: format, state: "a" }), {
      what: `is of version "${format}", this Levelfield reads levelfield.run/4`,
      hint: null,
    });
  }
});

test("a file without a format, or whose format is right, is damaged in another way", () => {
  for (const value of [null, 7, {}, { schema: 5 }, { schema: null }, { schema: "levelfield.run/4" }]) {
    assert.equal(faultOf(value), null, JSON.stringify(value));
  }
});
