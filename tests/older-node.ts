/** The driver on a Node that brings less than the newest: the one on PATH, and ours without what came since. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../bench/machine/programs.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { inTemporaryFolder } from "./testing.ts";

const LESS = `data:text/javascript,import nodeModule from "node:module";
delete Map.groupBy; delete Promise.withResolvers; delete nodeModule.registerHooks;`;
const ours = [locateRuntime("node").file, "--no-strip-types", "--disable-warning=DEP0205", "--import", LESS];
const onPath = findProgram("node");

/** Nodes that bring less, a program with its flags each; the one that somebody has comes first. */
export const OLDER_NODES: readonly (readonly string[])[] = [...(onPath === undefined ? [] : [[onPath]]), ours];

function bench(node: readonly string[], cwd: string, ...args: readonly string[]): string {
  const [file = "", ...flags] = node;
  const older = join(PROJECT_ROOT, "bench", "older-node.js"), main = join(PROJECT_ROOT, "bench", "main.ts");
  const { status, stdout, stderr } = spawnSync(file, [...flags, "--import", older, main, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", NO_COLOR: "1", TMPDIR: cwd },
  });
  // The doctor ends with 3 on a busy machine.
  assert.ok(status === 0 || status === 3, `${file} ${args.join(" ")}: ${stderr}`);
  assert.doesNotMatch(stderr, /warning/i, file);
  return stdout;
}

const CONFIG = `import { defineConfig, type Config } from "levelfield";
export default defineConfig({ command: "a-program {port}", request: "GET /a" } satisfies Config);
`;

/** Lists, runs and pages come from that Node, and configs in TypeScript are read by it. */
export const readsOn = (node: readonly string[]): Promise<void> =>
  inTemporaryFolder((folder) => {
    writeFileSync(join(folder, "mine.config.ts"), CONFIG);
    assert.match(bench(node, folder, "list", "--config", "mine.config.ts"), /a-program under GET \/a/);
    assert.match(bench(node, folder, "verify", "reference"), /all published figures follow/);
    assert.match(bench(node, folder, "report", "reference", "--output", "page.html"), /page\.html/);
    const { findings } = JSON.parse(bench(node, folder, "doctor", "--json"));
    const canary = findings.find(({ code }: { code: string }) => code === "canary");
    assert.doesNotMatch(canary.text, /printed|started/);
  });
