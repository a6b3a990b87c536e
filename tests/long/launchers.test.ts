/** Starts that install at the same time, whichever comes first. */
import { test } from "node:test";
import { WAITING, waitsForAnother } from "../bare-checkout.ts";

test("whatever two starts install, the second waits for the first and installs only what that one has not", async () => {
  for (const pair of WAITING) await waitsForAnother(pair);
});
