/** What reads runs needs no Node as new as the pinned one. */
import { test } from "node:test";
import { OLDER_NODES, readsOn } from "./older-node.ts";

test("lists, runs and pages come from an older Node, and configs in TypeScript are read by it", () =>
  readsOn(OLDER_NODES[0]!));
