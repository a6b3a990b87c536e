import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { shellWords } from "../basics/shell.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis, smallPlan } from "../../tests/fixtures/small-plan.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { commandServer, userSpec } from "../../tests/fixtures/user-spec.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { rerunCommand, whyCommand } from "./rerun-command.ts";
import { ranToEnd } from "../../tests/testing.ts";

test("a cell is measured again by its suite, the text of every axis and how the run measured", () => {
  const { run, cells } = filesOf(makeFixture({ rounds: 2 }));
  assert.equal(
    rerunCommand(run, cells.at(-1)!),
    "bench run users --workload read --runtime deno --store sqlite --size 10k --engine native --connections 50 " +
      "--miss-share 0 --rounds 2 --duration 3s --warmup 1s --warmup-loads 2 --seed 4231963727",
  );
});

const ownOf = (servers: readonly UserServer[], given: UserSpec["given"]): UserSpec =>
  userSpec(servers, { requests: [], given });

test("one's own servers are named again by what they were started from, with what they were asked", () => {
  const server = { kind: "app", home: ".", sha256: "a", source: { of: "home", files: 1 }, needs: {} } as const;
  const plan = planWith([planAxis("app", ["a", "b"], { option: "app" }), planAxis("runtime", ["bun"])], {
    suite: {
      ...smallPlan.suite,
      own: ownOf([
        { ...server, name: "a", module: "a.ts" },
        { ...server, name: "c", module: "src/c.ts" },
        { ...server, name: "d", module: "server.js", listens: { args: ["--a b"], ready: "/", port: 3000 } },
        { ...commandServer("b", ["node", "a b.js"]), port: 3000, ready: "/health" },
      ], [["request", "GET /items/42"]]),
    },
  });
  const of = (app: string) => rerunCommand({ plan }, cardAt(plan, { app, runtime: "bun" }, 1));
  assert.ok(of("d").startsWith(`bench run --program "d=./server.js '--a b'" --port 3000 --request 'GET`), of("d"));
  assert.ok(of("a").startsWith("bench run --app a=./a.ts --request 'GET /items/42' --runtime bun --rounds "), of("a"));
  assert.ok(
    of("b").startsWith(
      `bench run --command "b=node 'a b.js'" --port 3000 --ready /health --request 'GET /items/42' --runtime bun `,
    ),
    of("b"),
  );
});

test("a shell hands every value on as it is", () => {
  const plan = planWith([planAxis("what it is", ['it\'s $HOME "so"', "--json"], { option: "what-it-is" })], {
    suite: { ...smallPlan.suite, module: "/a b/suite.ts" },
    threads: 3,
  });
  const of = (value: string, label = "main") => {
    const card = cardAt(plan, { "what it is": value }, 1);
    return rerunCommand({ plan }, { cell: { ...card.cell, label } });
  };
  assert.ok(
    of('it\'s $HOME "so"').startsWith(`bench run '/a b/suite.ts' --what-it-is 'it'\\''s $HOME "so"' --rounds `),
  );
  assert.match(of("--json"), / --what-it-is=--json .* --threads 3$/);
  assert.match(of("--json", "b c"), / --label 'b c'$/);
});

test("a shell gives back every word of the command it is shown, whatever stands in it", async () => {
  const random = createRandom(41);
  const SIGNS = [..."'\"$`\\\n\t!- *~#;&a=é", "--", "$(x)", "${y}"];
  const word = () =>
    Array.from({ length: 1 + Math.floor(random() * 8) }, () => SIGNS[Math.floor(random() * SIGNS.length)]).join("");
  for (let n = 0; n < 60; n++) {
    const [name, value, label, module, header, body] = [word(), word(), word(), word(), word(), word()] as const;
    const plan = planWith([planAxis("x", [value], { option: name })], { suite: { ...smallPlan.suite, module } });
    const card = cardAt(plan, { x: value }, 1);
    const reported = await wordsInShell(rerunCommand({ plan }, { cell: { ...card.cell, label } }));
    const taken = (option: string, value: string) => value.startsWith("-") ? [`${option}=${value}`] : [option, value];
    assert.deepEqual(reported.slice(0, 3), ["bench", "run", module.startsWith("-") ? `./${module}` : module]);
    assert.deepEqual(reported.slice(3, -2).slice(0, taken(`--${name}`, value).length), taken(`--${name}`, value));
    assert.deepEqual(reported.slice(-taken("--label", label).length), taken("--label", label));

    const command = ["node", word(), word()];
    const user = ownOf([commandServer("b", command)], [
      ["header", header],
      ["body", body],
    ]);
    const apps = planWith([planAxis("app", ["b"], { option: "app" })], { suite: { ...smallPlan.suite, own: user } });
    const ofOwn = await wordsInShell(rerunCommand({ plan: apps }, cardAt(apps, { app: "b" }, 1)));
    assert.deepEqual(shellWords(ofOwn[3]!.slice("b=".length)), command);
    const asked = [...taken("--header", header), ...taken("--body", body)];
    assert.deepEqual(ofOwn.slice(4, 4 + asked.length), asked);
  }
});

/** Words of a line as a POSIX shell hands them on. */
async function wordsInShell(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await ranToEnd("sh", ["-c", `set -u; printf '%s\\0' ${line}`]);
  assert.equal(code, 0, stderr);
  return stdout.split("\0").slice(0, -1);
}

test("why the value that is named is faster is asked of two cells, and of nothing that is not proven", () => {
  const { run, summary } = filesOf(makeFixture({ sizes: [10_000], stores: ["map"] }));
  assert.ok(summary.answer.questions[0]!.parts[0]!.picks.length > 0);
  const proven = summary.families.flatMap(({ comparisons }) => comparisons).filter(({ verdict }) =>
    verdict === "faster"
  );
  const most = proven.toSorted((a, b) => b.ratio! - a.ratio!)[0]!;
  const { cells, ...why } = whyCommand(run, summary)!;
  assert.deepEqual(cells, [most.over, most.under].map((name) => summary.cells.find((one) => one.name === name)!.cell));
  assert.deepEqual(why, {
    over: most.over.split("/")[0],
    under: most.under.split("/")[0],
    command: `bench explain users ${most.over} ${most.under}`,
  });
  const both = filesOf(makeFixture({ sizes: [10_000], stores: ["map", "linear"], runtimes: ["node", "bun"] }));
  const asked = whyCommand(both.run, both.summary)!.command.split(" ").slice(-2).map((name) => name.split("/"));
  assert.deepEqual(asked.map(([runtime]) => runtime), ["bun", "node"], "not of the stores, which differ more");
  assert.equal(asked[0]![1], asked[1]![1]);
  assert.ok(summary.cells.some(({ name }) => name === most.over));
  assert.equal(whyCommand(run, { ...summary, families: [] }), null);
  const open = summary.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.map((one) =>
      one.verdict === "no-verdict" ? one : { ...one, verdict: "not-separable" as const }
    ),
  }));
  assert.equal(whyCommand(run, { ...summary, families: open }), null);
  const file = { file: "./mine.ts", sha256: "0" };
  const axes = run.plan.axes.map((axis) => ({
    ...axis,
    values: axis.values.map((value) => ({ ...value, facts: { ...value.facts, ...file } })),
  }));
  assert.equal(whyCommand({ ...run, plan: { ...run.plan, axes } }, summary), null);
});
