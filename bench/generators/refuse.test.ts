import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestTemplate } from "../../suites/suite.ts";
import { whyNot } from "./refuse.ts";
import { GENERATORS } from "./registry.ts";

const why = (name: string, template: Omit<RequestTemplate, "path" | "expect">) =>
  whyNot(GENERATORS[name]!, { pace: { closed: 1 }, mix: [{ path: "/", expect: [200], ...template }] });

test("no generator measures HEAD, since wrk warms every server up", () => {
  for (const name of Object.keys(GENERATORS)) assert.match(why(name, { method: "HEAD" })!, /HEAD: ask with GET/, name);
});

test("bytes that are no text go through generators that keep them", () => {
  const body = { base64: "/w==" };
  const refusing = Object.keys(GENERATORS).filter((name) => why(name, { method: "POST", body }) !== null);
  assert.deepEqual(refusing, ["autocannon"]);
  assert.match(why("autocannon", { method: "POST", body })!, /bodies as text alone: --generator wrk/);
});

test("a Host given by hand is sent by the generator that writes what it is given", () => {
  const headers = { Host: "shop.example" };
  for (const name of Object.keys(GENERATORS)) {
    assert.equal(
      why(name, { headers }),
      name === "wrk" ? null : `${name} makes the Host header itself: --generator wrk`,
    );
  }
});
