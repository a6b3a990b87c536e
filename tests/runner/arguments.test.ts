import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { readArguments } from "./arguments.ts";

const read = (...args: string[]) => readArguments(args, RUNTIME_NAMES);

test("the whole gate, the long rest, a change and files are told apart", () => {
  assert.deepEqual(read(), { kind: "commit" });
  assert.deepEqual(read("--all"), { kind: "all" });
  assert.deepEqual(read("--changed"), { kind: "changed", base: "HEAD" });
  assert.deepEqual(read("--changed", "--base", "main"), { kind: "changed", base: "main" });
  assert.deepEqual(read("a.test.ts"), { kind: "files", files: ["a.test.ts"], on: ["node"], name: undefined });
  assert.deepEqual(
    read("a.test.ts", "--name", "it's 1 + 1", "--on", "all"),
    { kind: "files", files: ["a.test.ts"], on: RUNTIME_NAMES, name: "it's 1 + 1" },
  );
});

test("arguments that are wrong or do not go together are refused, with what can be given", () => {
  const cases: readonly [args: readonly string[], why: RegExp][] = [
    [["--al"], /^error: .*'--al'/],
    [["--changed", "--base"], /need a value/],
    [["--all", "--changed"], /only one of/],
    [["--all", "a.test.ts"], /only one of/],
    [["--base", "main"], /--base goes with --changed/],
    [["--on", "bun"], /go with FILE/],
    [["a.ts"], /"a\.ts" is no test file/],
    [["a.test.ts", "--on", "bnu"], /--on "bnu" is none of/],
  ];
  for (const [args, why] of cases) {
    const refused = read(...args);
    assert.ok(typeof refused === "string", args.join(" "));
    assert.match(refused, why);
    assert.match(refused, /\n {2}try: bin\/test /);
  }
});
