import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { isKnownPlan, rememberPlan } from "./known-plans.ts";

const suite = { ...smallPlan.suite, module: "./mine.ts" };
const whole = (seed: number) => ({ plan: { ...smallPlan, suite, seed }, wanted: ["node"], against: undefined });

test("a plan is known whole, from its folder, in whatever order its fields stand; the newest are kept", () => {
  const before = process.env["XDG_CACHE_HOME"];
  const cache = mkdtempSync(join(tmpdir(), "levelfield-known-"));
  process.env["XDG_CACHE_HOME"] = cache;
  try {
    rememberPlan(whole(1), "/here");
    const folder = join(cache, "levelfield", "known-plans");
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.match(readdirSync(folder).join(), /^[0-9a-f]{64}$/);
    const turned = Object.fromEntries(Object.entries(whole(1).plan).reverse()) as typeof smallPlan;
    assert.ok(isKnownPlan({ ...whole(1), plan: turned }, "/here"));
    assert.ok(!isKnownPlan(whole(1), "/there"));
    assert.ok(!isKnownPlan(whole(2), "/here"));
    assert.ok(!isKnownPlan({ ...whole(1), wanted: ["node=./evil"] }, "/here"));
    assert.ok(!isKnownPlan({ ...whole(1), against: { ref: "a", commit: "b" } }, "/here"));
    assert.ok(!isKnownPlan({ ...whole(1), hosts: { server: "ssh evil" } }, "/here"));
    assert.ok(!isKnownPlan({ ...whole(1), hosts: { service: "ssh evil" } }, "/here"));

    for (let n = 0; n < 1_010; n++) {
      writeFileSync(join(folder, `old-${n}`), "");
      utimesSync(join(folder, `old-${n}`), 1, 1);
    }
    rememberPlan(whole(3), "/here");
    const kept = readdirSync(folder);
    assert.equal(kept.length, 1_000);
    assert.equal(kept.filter((name) => !name.startsWith("old-")).length, 2);
    rememberPlan({ ...whole(4), plan: smallPlan }, "/here");
    assert.equal(readdirSync(folder).length, 1_000, "what names nothing needs no place");
  } finally {
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
    rmSync(cache, { recursive: true, force: true });
  }
});
