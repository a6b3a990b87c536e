import assert from "node:assert/strict";
import { test } from "node:test";
import { LAB_PARTS, openLab } from "./self.ts";

test("a checkout has each part of the lab", async () => {
  assert.deepEqual(Object.keys(await openLab(["faults"])).sort(), [...LAB_PARTS].sort());
});

test("where there is no lab, one line says where it is", async () => {
  await assert.rejects(
    openLab(["faults", "fuzz"], new URL("./no-lab/parts.ts", import.meta.url)),
    /^\w*Error: faults, fuzz of bench self: in lab\/ of Levelfield's source, not in this package$/,
  );
});
