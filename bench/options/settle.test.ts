import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import type { Suite } from "../../suites/suite.ts";
import { PROFILES } from "../plan/profile.ts";
import { type FromConfig, type Given, settle } from "./settle.ts";

const suite: Suite = { ...oddSuite, presets: { night: { title: "night", rounds: 9, requests: 500, generator: "ab" } } };

const config = (given: Given, own: Partial<FromConfig> = {}): FromConfig => ({
  given,
  profile: false,
  preset: false,
  ...own,
});

test("the last wins: defaults, config, profile, preset, flags", () => {
  const six = config({ rounds: 6, durationMs: 5_000, generator: "h2load" });
  const rounds = (...args: Parameters<typeof settle>) => settle(...args).rounds;
  assert.equal(rounds(suite, PROFILES.default, undefined, {}), 14);
  assert.equal(rounds(suite, PROFILES.default, undefined, {}, six), 6);
  assert.equal(rounds(suite, PROFILES.quick, undefined, {}, six), 4);
  assert.equal(rounds(suite, PROFILES.quick, "night", {}, six), 9);
  assert.equal(rounds(suite, PROFILES.quick, "night", { rounds: 2 }, six), 2);
  assert.equal(settle(suite, PROFILES.default, undefined, {}, six).durationMs, 5_000);
  assert.equal(settle(suite, PROFILES.thorough, undefined, {}, six).durationMs, 10_000);
  assert.equal(settle(suite, PROFILES.default, "night", {}, six).generator, "ab");
  assert.equal(settle(suite, PROFILES.default, undefined, {}, six).generator, "h2load");
});

test("a profile or preset the config names itself is the ground for its other keys", () => {
  const own = config({ rounds: 6, durationMs: 5_000 }, { profile: true, preset: true });
  assert.equal(settle(suite, PROFILES.quick, "night", {}, own).rounds, 6);
  assert.equal(
    settle(suite, PROFILES.quick, "night", {}, own).requests,
    undefined,
    "its duration stands after the preset",
  );
  assert.equal(settle(suite, PROFILES.quick, "night", {}, config({}, { profile: true, preset: true })).requests, 500);
  assert.equal(settle(suite, PROFILES.quick, "night", {}, config({ durationMs: 5_000 })).requests, 500);
});

test("rates are made in the rounds a config asks for, unless a profile after it says otherwise", () => {
  assert.equal(settle(suite, PROFILES.default, undefined, {}, config({ rounds: 8 })).aloneRounds, 8);
  assert.equal(settle(suite, PROFILES.quick, undefined, {}, config({ rounds: 8 })).aloneRounds, 1);
  assert.equal(settle(suite, PROFILES.quick, undefined, {}, config({ rounds: 8 }, { profile: true })).aloneRounds, 8);
});

test("keys that something after the config says otherwise are known", () => {
  const own = config({ rounds: 6, durationMs: 5_000, at: { "engine room": ["bun"] } });
  assert.deepEqual(settle(suite, PROFILES.default, undefined, {}, own).overruled, []);
  assert.deepEqual(settle(suite, PROFILES.default, "night", {}, own).overruled, ["rounds"]);
  assert.deepEqual(settle(suite, PROFILES.default, undefined, { durationMs: 1_000 }, own).overruled, ["duration"]);
  assert.deepEqual(
    settle(suite, PROFILES.default, undefined, { at: { "engine room": ["node"] } }, own).overruled,
    ["engine room"],
  );
  assert.equal(settle(suite, PROFILES.default, undefined, {}).overruled, undefined);
});
