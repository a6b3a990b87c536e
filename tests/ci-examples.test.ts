/** The workflows of examples/ci: each file's own commands, on a pull request with an app that its base does not have yet. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { git, makeRepository } from "./gate-repository.ts";
import { type Job, readYaml, type Step, type Workflow } from "./read-yaml.ts";
import { folderTest, ranToEnd } from "./testing.ts";

const example = async <T>(name: string) =>
  (await readYaml<T>(readFileSync(join(PROJECT_ROOT, "examples", "ci", name), "utf8")))[0];

/** A repository whose newest commit brings an app: its gate finds nothing to compare, and measures nothing. */
async function withApp(folder: string): Promise<string> {
  const repository = join(folder, "app");
  await makeRepository(repository, [{ "README.md": "# An app\n" }, { "server.mjs": SERVER }]);
  symlinkSync(PROJECT_ROOT, join(folder, "levelfield"));
  return repository;
}

const SERVER = `import { createServer } from "node:http";
createServer((_, response) => response.end("hello")).listen(process.env.PORT, process.env.HOST);
`;

/** Runs a line of a shell with variables, Node of the checkout first in PATH. */
async function runs(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const path = [join(PROJECT_ROOT, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
  const variables = Object.entries({ ...env, PATH: path }).map(([name, value]) => `${name}=${value}`);
  const { code, stdout, stderr } = await ranToEnd("env", [...variables, "bash", "-e", "-c", line], cwd);
  assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
  return stdout;
}

/** No forge listens there: the comment says so, and does not fail. */
const NOWHERE = "http://127.0.0.1:1";

/** Variables of the action's gate, from the inputs of a step. */
const gateVariables = (given: NonNullable<Step["with"]>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [`GATE_${name.toUpperCase()}`, String(value)]));

async function assertGates({ steps }: Job, folder: string): Promise<string> {
  const repository = await withApp(folder), [summary, outputs] = [join(folder, "summary"), join(folder, "outputs")];
  await runs(join(PROJECT_ROOT, "action", "gate.sh"), repository, {
    ...gateVariables(steps.find(({ uses }) => uses?.includes("/levelfield@"))!.with!),
    GATE_BENCH: join(PROJECT_ROOT, "bin", "bench"),
    GATE_LIMIT: "5%",
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
  });
  const said = readFileSync(outputs, "utf8");
  assert.match(said, /^exit-code=0$/m);
  assert.match(readFileSync(summary, "utf8"), /^<!-- levelfield gate: server\.mjs -->\n### .*Nothing was measured/i);
  return /^comment-file=(.*)$/m.exec(said)![1]!;
}

folderTest(
  "the workflow for GitHub gates an app, and its second job writes the comment it was handed",
  async (folder) => {
    const { jobs } = await example<Workflow>("github.yml");
    const comment = await assertGates(jobs["gate"]!, folder);
    const own = join(folder, "comment-job");
    mkdirSync(join(own, "comment"), { recursive: true });
    cpSync(comment, join(own, "comment", "comment.md"));
    symlinkSync(join(PROJECT_ROOT, "action"), join(own, "action"));
    const [{ run, env }] = jobs["comment"]!.steps.filter(({ run }) => run !== undefined) as [Step];
    const said = await runs(run!, own, { ...env, GITHUB_API_URL: NOWHERE, GITHUB_REPOSITORY: "me/mine" });
    assert.match(said, /^::warning::no comment was written/);
  },
);

folderTest("the workflow for Forgejo gates an app", async (folder) => {
  const { jobs } = await example<Workflow>("forgejo.yml");
  await assertGates(jobs["gate"]!, folder);
});

folderTest(
  "the file for GitLab gates an app, and its note is of a job of its own that checks nothing out",
  async (folder) => {
    interface GitLabJob {
      readonly script: readonly string[];
      readonly variables: Readonly<Record<string, string>>;
    }
    const { speed, note } = await example<{ readonly speed: GitLabJob; readonly note: GitLabJob }>("gitlab.yml");
    const repository = await withApp(folder),
      { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
    const variables = {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: await git(repository, "rev-parse", "HEAD~1"),
      ...{ CI_API_V4_URL: NOWHERE, CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "12", CI_JOB_NAME: "note" },
      LEVELFIELD_TOKEN: "secret",
    };
    assert.equal(note.variables["GIT_STRATEGY"], "none");
    for (const { script } of [speed, note]) {
      const [clone, line, ...more] = script;
      // The clone is this checkout.
      assert.equal(
        clone,
        `git clone --depth 1 --branch v${version} https://github.com/OWNER/levelfield ../levelfield`,
      );
      assert.deepEqual(more, []);
      const said = await runs(line!, repository, variables);
      if (script === note.script) assert.match(said, /^::warning::no comment was written/);
    }
    assert.match(readFileSync(join(repository, "gate.md"), "utf8"), /Nothing was measured/i);
  },
);
