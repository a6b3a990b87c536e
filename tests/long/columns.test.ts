/** What is shown of a reference run of every suite fits the terminal. */
import { test } from "node:test";
import { assertFits, OF_EACH_SUITE } from "../fits-terminal.ts";

test("nothing shown of a run of any suite is wider than the terminal, words are whole, and marks stand under each other", async () => {
  for (const name of OF_EACH_SUITE) {
    for (const more of [[], ["--all"]]) await assertFits({ args: ["show", name, ...more] });
  }
});
