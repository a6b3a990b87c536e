/**
 * The commenting step of action.yml: writes the gate's Markdown under the pull request, over what an earlier run of this
 * gate wrote there, on GitHub, GitLab, Forgejo or Gitea. That comment has the mark of this job, its matrix, its folder and what was gated, and it is by the
 * author of this token. Any other stays as it is.
 */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

type Environment = Readonly<Record<string, string | undefined>>;

/** An account: GitLab says `username`. */
interface Person {
  readonly login?: string;
  readonly username?: string;
}

const nameOf = (person: Person | null | undefined) => person?.login ?? person?.username;

interface Comment {
  readonly id: number;
  readonly body?: string;
  readonly user?: Person | null;
  readonly author?: Person | null;
}

/** The longest comment that a forge takes, with room for the lines that mark it. */
const MOST_CHARS = 64_000;

/** Two lines nobody sees, the same for each run: where the gate ran and a digest of it, and what it held. */
function markOf({ GATE_JOB, GATE_FOLDER, GATE_MATRIX = "null" }: Environment, gated: string): string {
  const place = JSON.stringify([GATE_JOB, GATE_FOLDER, GATE_MATRIX, gated]);
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 16);
  const where = `${GATE_JOB}, ${GATE_FOLDER}`.replaceAll(/[^\w ./,-]|-{2,}/g, "-").slice(0, 200);
  return `<!-- levelfield in ${where}, ${digest} -->\n${gated}\n`;
}

/** Asks a forge by its API. Throws for any status but one of success. */
const askerFor =
  (headers: Readonly<Record<string, string>>) => async (method: string, url: string, content?: object) => {
    const reply = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status}`);
    return await reply.json() as unknown;
  };

type Ask = ReturnType<typeof askerFor>;

/** Where a forge has the comments of one pull request, and how it is asked. */
interface Forge {
  readonly ask: Ask;
  /** The address of its comments, and that of one of them. */
  readonly all: string;
  readonly one: (id: number) => string;
  /** The method that writes over one. */
  readonly over: "PATCH" | "PUT";
  /** Addresses that may say whose a token is, each with a question for GraphQL or none. */
  readonly who: readonly (readonly [url: string, query?: object])[];
  /** Authors of what a token writes that no address knows. */
  readonly otherwise: readonly string[];
}

/** GitLab by its variables, else GitHub, Forgejo or Gitea, which share variables and addresses. */
function forgeOf(env: Environment): Forge {
  const { GATE_TOKEN: token, GATE_NUMBER: number, CI_API_V4_URL: lab, GITHUB_API_URL: hub } = env;
  if (lab !== undefined) {
    const all = `${lab}/projects/${env["CI_PROJECT_ID"]}/merge_requests/${number}/notes`;
    const ask = askerFor({ "private-token": token! });
    return { ask, all, one: (id) => `${all}/${id}`, over: "PUT", who: [[`${lab}/user`]], otherwise: [] };
  }
  const issues = `${hub}/repos/${env["GITHUB_REPOSITORY"]}/issues`;
  const query = { query: "query { viewer { login } }" };
  return {
    ask: askerFor({
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "x-github-api-version": "2022-11-28",
    }),
    all: `${issues}/${number}/comments`,
    one: (id) => `${issues}/comments/${id}`,
    over: "PATCH",
    who: [[env["GITHUB_GRAPHQL_URL"] || `${hub}/graphql`, query], [`${hub}/user`]],
    otherwise: hub!.endsWith("/api/v1") ? ["forgejo-actions", "gitea-actions"] : ["github-actions[bot]"],
  };
}

/** The authors of what this token writes. Tokens of apps and workflows may ask by GraphQL alone, some by neither. */
async function authors({ ask, who, otherwise }: Forge): Promise<readonly string[]> {
  for (const [url, query] of who) {
    try {
      const said = await ask(query === undefined ? "GET" : "POST", url, query) as Person & {
        data?: { viewer?: Person };
      };
      const name = nameOf(said.data?.viewer ?? said);
      if (name) return [name];
    } catch { /* The next way is tried. */ }
  }
  return otherwise;
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
  const forge = forgeOf(env);
  const { ask, all, one, over } = forge;
  try {
    const ours = await authors(forge);
    const isOurs = ({ user, author, body }: Comment) =>
      body?.startsWith(mark) && ours.includes(nameOf(user ?? author) ?? "");
    let seen: number | undefined;
    for (let page = 1;; page++) {
      const some = await ask("GET", `${all}?per_page=100&page=${page}`) as readonly Comment[];
      const earlier = some.find(isOurs);
      // A forge that knows no pages gives all comments, and all again.
      const isLast = some.length < 100 || some[0]!.id === seen;
      seen = some[0]?.id;
      if (earlier !== undefined) await ask(over, one(earlier.id), { body });
      else if (isLast) await ask("POST", all, { body });
      else continue;
      return null;
    }
  } catch (error) {
    return (error as Error).message;
  }
}

// As import.meta.main, which Node 20 lacks.
if (realpathSync(process.argv[1] ?? ".") === fileURLToPath(import.meta.url)) {
  const why = await writeComment(process.env);
  if (why !== null) process.stdout.write(`::warning::no comment was written (the job's summary has it): ${why}\n`);
}
