/**
 * How often gates err: N gates of two equal commits of a small app, and N of a commit with a tenth more work in its
 * handler. `node lab/gate-aa.ts N [option of bench gate…]` on a quiet machine; it goes on where it was stopped, from
 * .data/gate-aa.ndjson.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../bench/machine/programs.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { commit, makeRepository } from "../tests/gate-repository.ts";

interface Made {
  readonly kind: "equal" | "slower";
  readonly n: number;
  readonly options: string;
  readonly outcome: string;
  /** Change in CPU time per request as a share; null without a verdict. */
  readonly change: number | null;
  readonly seconds: number;
}

/** Loops of the handler: some 40 µs of a request. */
const LOOPS = 40_000;
const MOST_MS = 7_200_000;

const app = (loops: number, remark: string) =>
  `let spent = 0;
export default { fetch() {
  for (let n = 0; n < ${loops}; n++) spent = (spent + n) % 1_000;
  return new Response("hello");
} };
// ${remark}
`;

const [count = "1", ...given] = process.argv.slice(2);
const options = given.length === 0 ? ["--quick", "--confirm", "--no-explain"] : given;
const file = join(PROJECT_ROOT, ".data", "gate-aa.ndjson");
mkdirSync(join(PROJECT_ROOT, ".data"), { recursive: true });
const before = existsSync(file)
  ? readFileSync(file, "utf8").trim().split("\n").map((line): Made => JSON.parse(line))
  : [];
const all = before.filter((one) => one.options === options.join(" "));

async function gate(kind: Made["kind"], n: number): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-gate-aa-"));
  try {
    const root = join(folder, "repo");
    await makeRepository(root, [{ "app.mjs": app(LOOPS, "a") }]);
    await commit(root, "change", { "app.mjs": app(kind === "equal" ? LOOPS : 1.1 * LOOPS, "b") });
    const words = ["gate", "--app", "./app.mjs", "--base", "HEAD~1", "--runtime", "node", "--json", ...options];
    const begin = performance.now();
    const ended = await runToEnd(join(PROJECT_ROOT, "bin", "bench"), [...words, "--results", folder], root, MOST_MS);
    if (![0, 4].includes(ended.code ?? -1)) throw new Error(ended.stderr);
    const { outcome, places } = JSON.parse(ended.stdout).gate;
    const ratio = places[0]?.comparison.ratio ?? null;
    const seconds = Math.round((performance.now() - begin) / 1_000);
    return { kind, n, options: options.join(" "), outcome, change: ratio && ratio - 1, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (let n = 0; n < Number(count); n++) {
  for (const kind of ["equal", "slower"] as const) {
    if (all.some((one) => one.kind === kind && one.n === n)) continue;
    const made = await gate(kind, n);
    all.push(made);
    appendFileSync(file, `${JSON.stringify(made)}\n`);
    process.stdout.write(`${JSON.stringify(made)}\n`);
  }
}
for (const kind of ["equal", "slower"] as const) {
  const of = all.filter((one) => one.kind === kind);
  const blamed = of.filter(({ outcome }) => outcome === "regression").length;
  const open = of.filter(({ outcome }) => outcome === "not-proven").length;
  const error = kind === "equal" ? blamed : of.length - blamed;
  process.stdout.write(
    `${kind}: ${blamed} blamed of ${of.length}, ${open} not proven; error ${error} of ${of.length}\n`,
  );
}
