import assert from "node:assert/strict";
import { test } from "node:test";
import { styleFor } from "./style.ts";

const isColoured = (terminal: boolean, env: Record<string, string>) => styleFor(terminal, env).red("x") !== "x";

test("a terminal gets colour, anything else plain text", () => {
  assert.ok(isColoured(true, {}));
  assert.ok(!isColoured(false, {}));
});

test("NO_COLOR says no to a terminal unless it is empty, FORCE_COLOR yes to a file unless it is 0", () => {
  assert.ok(!isColoured(true, { NO_COLOR: "1" }));
  assert.ok(isColoured(true, { NO_COLOR: "" }));
  assert.ok(isColoured(false, { FORCE_COLOR: "1" }));
  assert.ok(isColoured(false, { FORCE_COLOR: "" }));
  assert.ok(!isColoured(true, { FORCE_COLOR: "0" }));
  assert.ok(!isColoured(true, { NO_COLOR: "1", FORCE_COLOR: "1" }));
});

test("each format wraps its text and ends itself, whatever the process's own environment says", () => {
  const style = styleFor(true, {});
  for (const format of ["bold", "dim", "red", "green", "yellow"] as const) {
    // deno-lint-ignore no-control-regex
    assert.match(style[format]("text"), /^\u001b\[\d+mtext\u001b\[\d+m$/, format);
  }
});
