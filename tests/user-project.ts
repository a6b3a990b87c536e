/** A person's project with apps and servers of their own, as tests make one. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { thresholds } from "../bench/statistics/thresholds.ts";
import { bench, type Ended, onSite, shortened, type Site } from "./run-bench.ts";
import { sha256 } from "./testing.ts";

const FIXTURES = join(PROJECT_ROOT, "tests", "fixtures", "user");

/** A Hono app with a package and a body of its own; `slow` costs more for each request. */
const APP = (slow: boolean) =>
  `import { Hono } from "hono";
import { greeting } from "./greeting.ts";
const app = new Hono();
let spent = 0;
const work = () => { for (let n = 0; n < 50_000; n++) spent = (spent + n) % 1_000; };
app.get("/hello/:name", (c) => { ${slow ? "work();" : ""} return c.text(greeting(c.req.param("name"))); });
app.post("/sum", async (c) => c.json({ sum: (await c.req.json<number[]>()).reduce((a, b) => a + b, 0) }));
app.get("/where", (c) => c.json({ same: 1, runtime: "Deno" in globalThis ? "deno" : "another" }));
export default app;
`;

/** Makes a person's project in the site: an app, a variant of it, and its packages. */
export function makeProject(site: Site): string {
  const folder = join(site.folder, "project");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, "node_modules", "hono"), join(folder, "node_modules", "hono"));
  writeFileSync(join(folder, "package.json"), '{"type":"module","dependencies":{"hono":"*"}}');
  writeFileSync(join(folder, "greeting.ts"), "export const greeting = (name: string): string => `Hello ${name}`;\n");
  writeFileSync(join(folder, "app.ts"), APP(false));
  writeFileSync(join(folder, "slow.ts"), APP(true));
  writeFileSync(join(folder, "numbers.json"), "[1,2,3]");
  cpSync(FIXTURES, folder, { recursive: true });
  return folder;
}

/** Name, time of change and hash of everything in a folder, without what its packages are links to. */
export function everything(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
      .map((file) => [file, `${statSync(file).mtimeMs} ${sha256(readFileSync(file))}`]),
  );
}

/** A cell's card as `--json` prints it, as far as it is looked at. */
interface Card {
  readonly name: string;
  readonly status: string;
  readonly bound: string;
  readonly server_share: number | null;
  readonly cpu_ns_per_request: number | null;
  readonly marks: readonly { readonly code: string; readonly text: string }[];
}

/** The cards a bench printed, by name. */
export const cardsOf = ({ stdout, stderr, code }: Ended): Record<string, Card> => {
  assert.ok(stdout.startsWith("{"), `exit ${code}: ${stderr}`);
  return Object.fromEntries(JSON.parse(stdout).cells.map((card: Card) => [card.name, card]));
};

/** What is looked at in a run of two variants of an app. */
interface TwoVariants {
  /** Looks at the cards, the exit code and the one comparison there is. */
  readonly look: (cards: readonly Card[], ended: Ended, comparison: Compared) => void;
}

interface Compared {
  readonly basis: string;
  readonly verdict: string;
  readonly over: string;
  readonly under: string;
  readonly marks?: readonly { readonly code: string; readonly text: string }[];
}

/** Plans and measures two variants of an app, verifies the run, and has the plan refused once one of them has changed. */
export const measureTwoVariants = ({ look }: TwoVariants): Promise<void> =>
  onSite(async (site) => {
    const folder = makeProject(site);
    const before = everything(folder);
    const given = [
      ...["--app", "fast=./project/app.ts,slow=./project/slow.ts", "--runtime", "bun"],
      ...["--request", "GET /hello/you", "--request", "POST /sum", "--body", "@project/numbers.json"],
      ...["--rounds", String(thresholds.leastRounds.value), "--duration", "1s", "--warmup", "1s"],
    ];
    const planned = await bench(site, ["run", ...given, "--dry-run", "--json"]);
    assert.equal(planned.code, 0, planned.stderr);
    assert.match(planned.stderr, /fast on bun: answers\nslow on bun: answers as fast on bun does\n/);
    const printed = JSON.parse(planned.stdout);
    const { plan } = printed;
    assert.deepEqual(plan.suite.own.samples.map(({ reply }: { reply: { body: string } }) => reply.body), [
      "Hello you",
      '{"sum":6}',
    ]);
    const file = shortened(site, printed);

    const ended = await bench(site, ["run", "--plan", file, "--json"]);
    const cards = Object.values(cardsOf(ended));
    const { run, summary } = JSON.parse(ended.stdout);
    assert.deepEqual(cards.map(({ name }) => name.replace(/@.*/, "")).sort(), ["fast/bun", "fast/bun", "slow/bun"]);
    const [one] = summary.families.flatMap(({ comparisons }: { comparisons: readonly Compared[] }) => comparisons);
    look(cards, ended, one);
    const verified = await bench(site, ["verify", run.run]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    assert.deepEqual(everything(folder), before, "something in the project's folder has changed");

    writeFileSync(join(folder, "greeting.ts"), 'export const greeting = (): string => "Hello";\n');
    const changed = await bench(site, ["run", "--plan", file]);
    assert.equal(changed.code, 2);
    assert.match(changed.stderr, /app "fast" is not the planned one any more: its source has changed/);
  });
