import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { axisOptions, optionName } from "./axis-options.ts";
import { BenchError } from "../basics/errors.ts";

test("an option is made of the words of an axis's name", () => {
  const names = ["runtime", "dataSeed", "items / page", "mood?", "--x--", "Größe", "HTTP2 pings", "a.b_c"];
  assert.deepEqual(names.map(optionName), [
    "runtime",
    "data-seed",
    "items-page",
    "mood",
    "x",
    "größe",
    "http2-pings",
    "a-b-c",
  ]);
});

test("two axes of one option, or one that bench has itself, are refused by name", () => {
  const named = (...names: string[]) => ({
    ...oddSuite,
    axes: names.map((name) => ({ ...oddSuite.axes[3]!, name })),
    probe: {},
  });
  const refused = (names: string[], message: RegExp) =>
    assert.throws(
      () => axisOptions(named(...names), ["rounds", "h"]),
      (error) => error instanceof BenchError && message.test(error.message),
    );
  refused(["data seed", "dataSeed"], /^suite "odd": axis "dataSeed" would be --data-seed, which is axis "data seed"$/);
  refused(["rounds"], /axis "rounds" would be --rounds, which is an option of bench/);
  refused(["H"], /axis "H" would be --h/);
  refused(["/?"], /axis "\/\?" would be --, which is no option/);
});
