/**
 * The commenting step of action.yml: writes the gate's Markdown under the pull request, over what an earlier run of this
 * gate wrote there. That comment has the mark of this job, its matrix, its folder and what was gated, and it is by the
 * author of this token. Any other stays as it is.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

interface Comment {
  readonly url: string;
  readonly body?: string;
  readonly user?: { readonly login?: string } | null;
}

/** The longest comment that a forge takes, with room for the lines that mark it. */
const MOST_CHARS = 64_000;

/** The author of what the default token of a workflow writes. */
const OF_WORKFLOWS = "github-actions[bot]";

/** Two lines nobody sees, the same for each run: where the gate ran and a digest of it, and what it held. */
function markOf({ GATE_JOB, GATE_FOLDER, GATE_MATRIX = "null" }: Environment, gated: string): string {
  const place = JSON.stringify([GATE_JOB, GATE_FOLDER, GATE_MATRIX, gated]);
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 16);
  const where = `${GATE_JOB}, ${GATE_FOLDER}`.replaceAll(/[^\w ./,-]|-{2,}/g, "-").slice(0, 200);
  return `<!-- levelfield in ${where}, ${digest} -->\n${gated}\n`;
}

/** Asks the forge by its API. Throws for any status but one of success. */
const askerFor = ({ GATE_TOKEN }: Environment) => async (method: string, url: string, content?: object) => {
  const reply = await fetch(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GATE_TOKEN}`,
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status}`);
  return await reply.json() as unknown;
};

type Ask = ReturnType<typeof askerFor>;

/** The author of what this token writes. Tokens of apps and workflows may ask by GraphQL alone, some by neither. */
async function author(ask: Ask, { GITHUB_API_URL, GITHUB_GRAPHQL_URL }: Environment): Promise<string> {
  try {
    const query = { query: "query { viewer { login } }" };
    const said = await ask("POST", GITHUB_GRAPHQL_URL ?? `${GITHUB_API_URL}/graphql`, query);
    const login = (said as { data?: { viewer?: { login?: string } } }).data?.viewer?.login;
    if (login) return login;
  } catch { /* The other way is tried. */ }
  try {
    const { login } = await ask("GET", `${GITHUB_API_URL}/user`) as { login?: string };
    if (login) return login;
  } catch { /* It is that of a workflow. */ }
  return OF_WORKFLOWS;
}

/**
 * Writes the comment. Returns why it could not: a token that may not write, as that of a pull request from a fork, is no
 * reason to fail. Null where it is written. Throws where there is no Markdown.
 *
 * @param env the variables of the step in action.yml
 */
export async function writeComment(env: Environment): Promise<string | null> {
  const gate = readFileSync(env["GATE_COMMENT"]!, "utf8");
  if (gate.length > MOST_CHARS) return `its text is longer than ${MOST_CHARS} characters`;
  const gated = gate.slice(0, gate.indexOf("\n"));
  const mark = markOf(env, gated);
  const body = `${mark}${gate.slice(gated.length + 1)}`;
  const comments = `${env["GITHUB_API_URL"]}/repos/${env["GITHUB_REPOSITORY"]}/issues/${env["GATE_NUMBER"]}/comments`;
  const ask = askerFor(env);
  try {
    const login = await author(ask, env);
    for (let page = 1;; page++) {
      const some = await ask("GET", `${comments}?per_page=100&page=${page}`) as readonly Comment[];
      const earlier = some.find(({ user, body }) => user?.login === login && body?.startsWith(mark));
      if (earlier !== undefined) await ask("PATCH", earlier.url, { body });
      else if (some.length < 100) await ask("POST", comments, { body });
      else continue;
      return null;
    }
  } catch (error) {
    return (error as Error).message;
  }
}

if (import.meta.main) {
  const why = await writeComment(process.env);
  if (why !== null) process.stdout.write(`::warning::no comment was written (the job's summary has it): ${why}\n`);
}
