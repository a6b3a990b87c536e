import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { hostsHere } from "../observe/equip.ts";
import { generatorsFor } from "./contrast.ts";

test("a contrast leaves out generators whose arguments would show a secret, and says why", async () => {
  const headers = { "x-user": `ghp_${"aB3".repeat(12)}` };
  const one: RequestPlan = { pace: { closed: 1 }, mix: [{ path: "/", headers, expect: [200] }] };
  const { generators, absent } = await generatorsFor(["wrk", "ab", "h2load"], one, hostsHere());
  assert.deepEqual(generators, ["wrk"]);
  assert.deepEqual(absent.map(({ name }) => name), ["ab", "h2load"]);
  for (const { reason } of absent) {
    assert.match(reason, /a token of a service in header "x-user" too: --generator wrk or k6$/);
  }
});
