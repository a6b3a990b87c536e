/** A new audit: its files with the parts that tests ask for. "FILL" stands at each place that its author fills. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failure } from "../../bench/basics/errors.ts";

const filesOf = (name: string) => ({
  [`examples/audits/${name}/claims.json`]: `${JSON.stringify(claimsOf(name), null, 2)}\n`,
  [`examples/audits/${name}/levelfield.config.ts`]: `/** FILL: the claim, and the address of its source. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { better: "./better.mjs", other: "./other.mjs" }, // FILL: both as published; they listen on PORT and HOST
  request: "GET /",
  rounds: 6,
  at: { runtime: ["node"], connections: [50] },
});
`,
  [`docs/audits/${name}.md`]: `# FILL: both sides in a few words

**Claimed.** [FILL: the source](https://example.com/) (FILL: commit, or day and archived copy): FILL: figures as there.

**Set-up there.** FILL: what was measured, with which load, on which machine.

**Here.** Programs and claims stand in [examples/audits/${name}](../../examples/audits/${name}/claims.json); the command
below each table repeats it. [The index](README.md) has the rule behind each answer.

<!-- audit:begin -->
<!-- audit:end -->

**What differs.** FILL: what the programs here do in another way.

## What its authors may say

| objection | what was tried |
| --- | --- |
${[1, 2, 3, 4, 5].map((n) => `| FILL: objection ${n} | Not tried. |\n`).join("")}`,
});
const both = (part: string) => [part, [`FILL: ${part} there`, `FILL: ${part} here`]];
const CLAIM = {
  text: "FILL: the better side over the other",
  published: [2, 1],
  unit: "FILL: the unit of both figures",
};
const claimsOf = (name: string, day = new Date().toISOString().slice(0, 10)) => ({
  title: "FILL: both sides in a few words",
  source: { page: "https://example.com/FILL", copy: null, read: day },
  set_up: Object.fromEntries(["measured", "cores", "load", "payload", "versions"].map(both)),
  runs: [{
    ...{ name, changed: null, words: ["--config", `examples/audits/${name}/levelfield.config.ts`] },
    claims: [{ ...CLAIM, over: { app: "better" }, under: { app: "other" } }],
  }],
  changes: [{ date: day, what: "Written." }],
});

/** Writes a new audit under `root`. Returns the paths written. Throws if one of them is there, or the name is none. */
export function newAudit(name: string, root: string): string[] {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw failure(`"${name}" is no name of an audit`, "express-https is one");
  const files = Object.entries(filesOf(name)), [there] = files.find(([path]) => existsSync(join(root, path))) ?? [];
  if (there !== undefined) throw failure(`"${there}" is there already`, `node lab/audits.ts --dry-run ${name}`);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return files.map(([path]) => path);
}
