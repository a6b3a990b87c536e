import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { commandServer, userSpec } from "../../tests/fixtures/user-spec.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";
import { planActions } from "./plan-actions.ts";

const server = commandServer;

/** The lines about a plan of somebody's servers. */
const linesOf = (change: Partial<UserSpec>) => {
  const spec = userSpec([server("a", ["true"])], change);
  const suite = { name: "own", title: "own", module: null, own: spec };
  return planActions({ plan: { ...smallPlan, suite }, wanted: null, against: undefined });
};

const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`);

test("blanks, a long text and unseen signs hide nothing of a command", () => {
  const [line] = linesOf({ servers: [server("a", ["sh", "-c", `true${" ".repeat(500)}; evil`, "a\u200bb\u202e"])] });
  assert.equal(line, 'run the command "sh" "-c" "true\\u{20}×500; evil" "a\\u{200b}b\\u{202e}", in "."');
  const [long] = linesOf({ servers: [server("a", [`${"x".repeat(100_000)}; evil`])] });
  assert.match(long!, /^run the command "x{300}" … 99606 characters not shown … "x{94}; evil", in "\."$/);
  const [words] = linesOf({ servers: [server("a", many(5_000, "w"))] });
  assert.match(words!, /^run the command "w0" .* "w49" and 4950 more, in "\."$/);
});

test("of 5000 variables those named like secrets are in the line, and the others are counted", () => {
  const lines = linesOf({ env: [...many(4_999, "V"), "AWS_SECRET_ACCESS_KEY"] });
  assert.deepEqual(lines, [
    'run the command "true", in "."',
    `hand your variables "AWS_SECRET_ACCESS_KEY", ${
      many(19, "V").map((name) => `"${name}"`).join(", ")
    } and 4980 more to them`,
  ]);
});

test("whatever a plan names in thousands is named in part and counted", () => {
  const target: UserServer = { kind: "target", name: "t", url: "http://127.0.0.1:80", pid: null };
  const lines = linesOf({
    servers: [target, ...many(4_999, "s").map((name) => server(name, [name]))],
    requests: many(5_000, "/").map((path) => ({ method: "GET", path })),
    draws: Object.fromEntries(many(5_000, "d").map((name) => [name, { kind: "rows" as const, file: name }])),
  });
  for (const [kind, more] of [["servers", 4_950], ["requests", 4_990], ["files", 4_990]]) {
    assert.ok(lines.includes(`and the same with ${more} more ${kind}: read the plan`), `${kind}`);
  }
  assert.equal(lines.length, 73);
});
