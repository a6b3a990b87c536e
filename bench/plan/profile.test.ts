import assert from "node:assert/strict";
import { test } from "node:test";
import { PROFILES } from "./profile.ts";
import { leastForMedianInterval } from "../statistics/median.ts";

test("profiles measure whole seconds, and all but the quick one enough rounds for an interval of a median", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    assert.equal(profile.name, name);
    assert.equal(profile.durationMs % 1_000, 0);
    assert.ok(profile.aloneRounds <= profile.rounds);
    assert.equal(profile.aloneRounds >= leastForMedianInterval(0.95), name !== "quick", name);
    const amount = "timeMs" in profile ? `${profile.timeMs / 60_000} min` : `${profile.rounds} rounds`;
    assert.ok(profile.title.includes(amount), profile.title);
    assert.ok(profile.title.includes(`of ${profile.durationMs / 1_000} s`), profile.title);
  }
});
