/** action.yml and the workflows the docs show, read by a real parser of YAML and held against each other. */
import assert from "node:assert/strict";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { shellWords } from "../bench/basics/shell.ts";
import { parseLine, readLine } from "../bench/options/read-line.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { type Job, readYaml, type Step, type Workflow } from "./read-yaml.ts";
import { folderTest, ranToEnd } from "./testing.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const textOf = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");

/** Text files that may name an action: workflows, docs and examples. */
const workflows = (): string[] => {
  const below = [".github", "docs", "examples"].flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
  );
  return ["action.yml", "README.md", "CONTRIBUTING.md", ...below].filter((path) => /\.(?:ya?ml|md)$/.test(path));
};

test("an action of others is named by its commit, which nobody can move, with its version beside it", () => {
  const used = workflows().flatMap((path) =>
    [...textOf(path).matchAll(/^[ \t]*(?:- )?uses:[ \t]*(.*)$/gm)].map(([, action]) => ({ path, action: action! }))
  );
  const others = used.filter(({ action }) => !/^(?:\.\/|(?:https:\/\/github\.com\/)?OWNER\/)/.test(action));
  assert.ok(others.length > 10, `${others.length} found`);
  for (const { path, action } of others) {
    assert.match(action, /^(?:https:\/\/github\.com\/)?[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, path);
  }
});

folderTest("a base that is an option or a branch to write for git is refused before git is asked", async (folder) => {
  for (const base of ["--upload-pack=touch made", "-x", "main:refs/heads/main", "+main", "a\n::stop-commands::x"]) {
    const env = [
      `RUNNER_TEMP=${folder}`,
      "GATE_BENCH=bench",
      `GATE_BASE=${base}`,
      "GATE_LIMIT=3%",
      "GATE_APP=./app.ts",
    ];
    const step = ["env", ...env, join(PROJECT_ROOT, "action", "gate.sh")];
    const { code, stdout } = await ranToEnd(step[0]!, step.slice(1), folder);
    assert.deepEqual([code, stdout], [
      2,
      `::error::"${base.replace("\n", "?")}" is no revision: name a branch, a tag or a commit\n`,
    ]);
    assert.ok(!existsSync(join(folder, "made")));
  }
});

test("every input of the action is used and every one that is used is there; scripts can be run and get what they read", async () => {
  const text = textOf("action.yml");
  const [{ inputs, runs }] = await readYaml<Action>(text);
  assert.equal(runs.using, "composite");
  const used = [...text.matchAll(/\binputs\.([\w-]+)/g)].map(([_, name]) => name!);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(inputs).sort());
  for (const { run, shell } of runs.steps) {
    assert.equal(shell, run === undefined ? undefined : "bash", "a step of a composite action names its shell");
  }
  for (const script of ["install.sh", "gate.sh"]) {
    accessSync(join(PROJECT_ROOT, "action", script), constants.X_OK);
  }
  for (const [script, ...further] of [["install.sh"], ["gate.sh"], ["comment.ts", "GATE_ROOT"]] as const) {
    const steps = runs.steps.filter(({ run }) => run?.includes(script));
    assert.equal(steps.length, script === "install.sh" ? 2 : 1, script);
    for (const { env } of steps) {
      assert.deepEqual([...readBy(script), "GATE_ACTION", ...further].sort(), Object.keys(env!).sort(), script);
    }
  }
});

/** Runs a step of the installing script with a home of its own. Gives what it said and its outputs. */
async function installs(folder: string, step: string, variables: readonly string[] = []) {
  const output = join(folder, "output");
  writeFileSync(output, "");
  const env = [`HOME=${folder}`, "XDG_CACHE_HOME=", "RUNNER_OS=Linux", "RUNNER_ARCH=X64", `RUNNER_TEMP=${folder}`];
  const all = [...env, `GITHUB_OUTPUT=${output}`, ...variables];
  const { code, stdout } = await ranToEnd("env", [...all, join(PROJECT_ROOT, "action", "install.sh"), step], folder);
  const lines = readFileSync(output, "utf8").trim().split("\n").map((line) => line.split("=") as [string, string]);
  return { code, stdout, outputs: Object.fromEntries(lines) };
}

/** A package with a command of Levelfield's name. */
async function packedIn(folder: string): Promise<string> {
  const package_ = join(folder, "package");
  mkdirSync(join(package_, "bench"), { recursive: true });
  const bin = { levelfield: "run.js" };
  writeFileSync(join(package_, "package.json"), JSON.stringify({ name: "levelfield", version: "9.9.9", bin }));
  writeFileSync(join(package_, "run.js"), "#!/usr/bin/env node\nconsole.log('it runs');\n", { mode: 0o755 });
  assert.equal((await ranToEnd("tar", ["-czf", "levelfield.tgz", "package"], folder)).code, 0);
  return join(folder, "levelfield.tgz");
}

folderTest(
  "the package is installed once, into a folder that a cache keeps by version, options and machine",
  async (folder) => {
    const { version } = JSON.parse(textOf("package.json"));
    const place = (options: string) => installs(folder, "place", [`GATE_OPTIONS=${options}`]);
    const { outputs } = await place("--runtime=bun"), { outputs: other } = await place("--runtime=node");
    assert.equal(outputs["folder"], join(folder, ".cache", "levelfield"));
    assert.match(outputs["key"]!, new RegExp(`^levelfield-${version}-Linux-X64-[0-9a-f]{12}$`));
    assert.notEqual(outputs["key"], other["key"], "another runtime would be missing in it");
    const given = [`GATE_PACKAGE=${await packedIn(folder)}`];
    const first = await installs(folder, "install", given);
    assert.equal(first.code, 0, first.stdout);
    assert.ok(first.outputs["bench"]!.startsWith(join(folder, ".cache", "levelfield", "action")));
    assert.equal((await ranToEnd(first.outputs["bench"]!, [], folder)).stdout, "it runs\n");
    rmSync(join(folder, "levelfield.tgz"));
    const second = await installs(folder, "install", given);
    assert.deepEqual(second, { ...first, stdout: "" }, "the cache had it");
    const gone = await installs(folder, "install", [`GATE_PACKAGE=${join(folder, "none.tgz")}`]);
    assert.equal(gone.code, 1);
    assert.match(gone.stdout, /^::error::.*none\.tgz could not be installed$/m);
  },
);

folderTest(
  "a version that npm does not have is run from the action's own checkout, and a notice says so",
  async (folder) => {
    const server = createServer((_, response) => void response.writeHead(404).end("{}"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const registry = `npm_config_registry=http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { code, stdout, outputs } = await installs(folder, "install", [registry]);
    server.close();
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^::notice::npm has no levelfield@\d+\.\d+\.\d+: the action's own checkout is run$/m);
    assert.deepEqual(outputs, { bench: join(PROJECT_ROOT, "bin", "bench"), root: PROJECT_ROOT.replace(/\/$/, "") });
  },
);

/** Pages that have workflows to copy. */
const PAGES = ["docs/in-your-ci.md", "docs/first-gate.md"];

/** The blocks of a page in a language; without one those of plain text. */
const blocksOf = (page: string, language = ""): string[] =>
  [...textOf(page).matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].filter(([_, of]) => of === language).map(([_, __, text]) =>
    text!
  );

/** Workflows of a page, and its file for GitLab. */
const isGitLabs = (text: string) => text.includes("CI_MERGE_REQUEST");
const workflowsOf = (page: string) => blocksOf(page, "yaml").filter((text) => !isGitLabs(text));

/** All workflows to copy: those of pages, and whole files. */
const WORKFLOWS = [
  ...PAGES.flatMap(workflowsOf),
  ...["github.yml", "forgejo.yml"].map((name) => textOf(`examples/ci/${name}`)),
];

/** Variables that a script of the action reads. */
const readBy = (script: string) =>
  new Set([...textOf(`action/${script}`).matchAll(/\bGATE_[A-Z]+/g)].map(([name]) => name));

/** The job that comments: it may write, so it runs nothing of the pull request, and all its script reads is given to it. */
function assertComments({ permissions, steps }: Job): void {
  assert.deepEqual(permissions, { "pull-requests": "write" });
  for (const { uses = "", with: given = {} } of steps) {
    assert.match(uses, /^(actions\/(checkout|setup-node|download-artifact)@.*)?$/);
    if (uses.startsWith("actions/checkout@")) {
      assert.equal(given["repository"], "OWNER/levelfield", "its own copy, not the pull request's");
      assert.match(String(given["ref"]), /^v\d+\.\d+\.\d+$/);
    }
  }
  const [step, ...more] = steps.filter(({ run }) => run !== undefined);
  assert.deepEqual(more, []);
  assert.match(step!.run!, /^GATE_COMMENT=\$\(echo comment\/\*\.md\) node action\/comment\.ts$/);
  assert.deepEqual(["GATE_COMMENT", ...Object.keys(step!.env!)].sort(), [...readBy("comment.ts")].sort());
}

test("the workflows in the docs give the action inputs it has and all it must, and one that comments does so from a job of its own", async () => {
  const [{ inputs }] = await readYaml<Action>(textOf("action.yml"));
  assert.deepEqual(PAGES.map((page) => workflowsOf(page).length), [1, 2]);
  assert.match(textOf("docs/in-your-ci.md"), /^ {2}comment:$/m);
  for (const block of WORKFLOWS) {
    const [{ jobs, permissions }] = await readYaml<Workflow>(block);
    assert.deepEqual(permissions, { contents: "read" });
    const { gate, comment, ...others } = jobs;
    assert.deepEqual([others, gate!.permissions], [{}, undefined]);
    if (comment !== undefined) assertComments(comment);
    const gates = gate!.steps.filter(({ uses }) => uses?.includes("/levelfield@"));
    assert.equal(gates.length, 1);
    for (const { with: given = {} } of gates) {
      assert.equal(given["comment"], "false");
      assert.deepEqual(Object.keys(given).filter((name) => !(name in inputs)), []);
      assert.deepEqual(Object.keys(inputs).filter((name) => inputs[name]!.required && !(name in given)), []);
    }
  }
});

test("the workflows in the docs check out both sides, and what they give the gate is a command line that it takes", async () => {
  for (const block of WORKFLOWS) {
    const [{ jobs }] = await readYaml<Workflow>(block);
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    const depth = steps.find(({ uses }) => uses?.includes("actions/checkout@"))?.with?.["fetch-depth"];
    assert.ok(Number(depth) >= 2, "the merge and its first parent");
    const given = steps.find(({ uses }) => uses?.includes("/levelfield@"))!.with!;
    // As action/gate.sh makes its words.
    const named = ["app", "program", "command", "function", "install", "limit"].flatMap((name) =>
      name in given ? [`--${name}`, String(given[name])] : []
    );
    const options = String(given["options"] ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
    assert.ok(options.length > 0);
    assert.equal(readLine(parseLine(["gate", ...named, ...options, "--strict"])).command, "gate");
  }
});

test("the file for GitLab clones this repository at its version, with its own history, and gives a gate's command line", async () => {
  const { version } = JSON.parse(textOf("package.json")) as { readonly version: string };
  const [block, ...others] = blocksOf("docs/first-gate.md", "yaml").filter(isGitLabs);
  assert.deepEqual(others, []);
  const [{ speed }] = await readYaml<{ readonly speed: { script: readonly string[]; variables: object } }>(block!);
  assert.deepEqual(speed.variables, { GIT_DEPTH: "0" });
  const [clone, [program, ...words]] = speed.script.map((line) => shellWords(line)!) as [string[], string[]];
  assert.ok(clone.includes(`v${version}`), block!);
  assert.equal(program, join(clone.at(-1)!, "bin", "bench"));
  assert.equal(readLine(parseLine(words)).command, "gate");
  for (const page of PAGES) assert.ok(textOf(page).includes(`/levelfield@v${version}`), page);
});
