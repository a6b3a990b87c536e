/**
 * How often gates err: N gates of two equal commits of a small app, and N of a commit with a tenth more work in its
 * handler. `node lab/gate-aa.ts N [option of bench gate…]` on a quiet machine; it goes on where it was stopped, from
 * .data/gate-aa.ndjson.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../bench/machine/programs.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

interface Made {
  readonly kind: "equal" | "slower";
  readonly n: number;
  readonly options: string;
  readonly outcome: string;
  readonly change: number | null;
  readonly seconds: number;
}

const LOOPS = 40_000;

const app = (loops: number, remark: string) =>
  `let spent = 0; // ${remark}
export default { fetch() {
  for (let n = 0; n < ${loops}; n++) spent = (spent + n) % 1_000;
  return new Response("hello");
} };
`;

const [count = "1", ...given] = process.argv.slice(2);
const options = given.length === 0 ? ["--quick", "--confirm", "--no-explain"] : given;
const file = join(PROJECT_ROOT, ".data", "gate-aa.ndjson");
const before = existsSync(file)
  ? readFileSync(file, "utf8").trim().split("\n").map((line): Made => JSON.parse(line))
  : [];
const all = before.filter((one) => one.options === options.join(" "));

async function gate(kind: Made["kind"], n: number): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-gate-aa-"));
  try {
    const root = join(folder, "repo");
    const git = (...words: string[]) =>
      runToEnd("git", ["-C", root, "-c", "user.name=lab", "-c", "user.email=lab@localhost", ...words]);
    mkdirSync(root);
    await git("init", "--quiet");
    for (const text of [app(LOOPS, "a"), app(kind === "equal" ? LOOPS : 1.1 * LOOPS, "b")]) {
      writeFileSync(join(root, "app.mjs"), text);
      await git("add", "--all");
      await git("commit", "--quiet", "-m", "a commit");
    }
    const words = ["gate", "--app", "./app.mjs", "--base", "HEAD~1", "--runtime", "node", "--json", ...options];
    const begin = performance.now();
    const ended = await runToEnd(join(PROJECT_ROOT, "bin", "bench"), [...words, "--results", folder], root, 7_200_000);
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
    all.push(await gate(kind, n));
    appendFileSync(file, `${JSON.stringify(all.at(-1))}\n`);
    process.stdout.write(`${JSON.stringify(all.at(-1))}\n`);
  }
}
for (const kind of ["equal", "slower"] as const) {
  const of = all.filter((one) => one.kind === kind);
  const blamed = of.filter(({ outcome }) => outcome === "regression").length;
  const error = kind === "equal" ? blamed : of.length - blamed;
  process.stdout.write(
    `${kind}: ${blamed} blamed of ${of.length}; error ${error} of ${of.length}\n`,
  );
}
