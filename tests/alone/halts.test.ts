/** Servers that bear no halts: they err after each, are named, and are measured alone from then on. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { benchHere } from "../command-line.ts";
import { onSite, toolTest } from "../run-bench.ts";

/** Each server answers as it should until it goes on after a halt; then it does otherwise for a moment. */
const SHEDS = `let late = 0;
process.on("SIGCONT", () => late = 20);
export default { fetch: () => late-- > 0 ? new Response("busy", { status: 503 }) : new Response("done") };
`;
