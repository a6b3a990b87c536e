import assert from "node:assert/strict";
import { test } from "node:test";
import { useText } from "./service-texts.ts";

const counting = (counts_per_request: Record<string, number>) => ({
  services: [{
    name: "db",
    version: "1",
    facts: {},
    own_cpus: true,
    cpu_ns_per_request: 1,
    share: 0.1,
    counts_per_request,
  }],
});

test("uses are alike where round trips and statements parsed are, whatever the last digit", () => {
  assert.equal(useText(counting({ round_trips: 1.02, parse: 0.98, execute: 1 })), "1 round trip, 1 statement parsed");
  assert.equal(useText(counting({ round_trips: 9.6, execute: 20 })), "10 round trips, prepared");
  assert.equal(useText(counting({ round_trips: 1.3, get: 20 })), "1 round trip", "another protocol parses nothing");
  assert.equal(useText(counting({})), null);
  assert.equal(useText({}), null);
});
