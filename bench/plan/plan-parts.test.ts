import assert from "node:assert/strict";
import { test } from "node:test";
import { optionName } from "./plan-parts.ts";

test("an option is made of the words of an axis's name", () => {
  const names = ["runtime", "dataSeed", "items / page", "mood?", "--x--", "Größe", "HTTP2 pings", "a.b_c"];
  assert.deepEqual(names.map(optionName), "runtime data-seed items-page mood x größe http2-pings a-b-c".split(" "));
});
