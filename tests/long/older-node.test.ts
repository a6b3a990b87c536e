/** What reads runs needs no Node as new as the pinned one, whichever is here. */
import { test } from "node:test";
import { OLDER_NODES, readsOn } from "../older-node.ts";

test("each older Node gives lists, runs and pages, and reads configs in TypeScript", async () => {
  for (const node of OLDER_NODES) await readsOn(node);
});
