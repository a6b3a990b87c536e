/**
 * The commenting step of action.yml: writes the gate's Markdown under the pull request, over what an earlier run of this
 * gate wrote there: by the same author, in the same job and folder. A token that may not write, as that of a pull request
 * from a fork, is no reason to fail.
 */
import { readFileSync } from "node:fs";

const { GITHUB_API_URL, GITHUB_REPOSITORY, GATE_COMMENT, GATE_TOKEN, GATE_NUMBER, GATE_JOB, GATE_FOLDER } = process.env;
const gate = readFileSync(GATE_COMMENT!, "utf8");
/** Two lines nobody sees: where the gate ran, and what it held. They are the same for each run. */
const place = `${GATE_JOB}, ${GATE_FOLDER}`.replaceAll(/[^\w ./,-]|-{2,}/g, "-");
const mark = `<!-- levelfield in ${place} -->\n${gate.slice(0, gate.indexOf("\n"))}\n`;
const body = `${mark}${gate.slice(gate.indexOf("\n") + 1)}`;
const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;

async function ask(method: string, url: string, content?: object): Promise<unknown> {
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
  return await reply.json();
}

interface Comment {
  readonly url: string;
  readonly body?: string;
  readonly user?: { readonly login?: string; readonly type?: string };
}

/** Whether a comment is by whoever this token is; one that may not ask for its name is a workflow's or an app's own. */
async function isOwn(): Promise<(comment: Comment) => boolean> {
  try {
    const { login } = await ask("GET", `${GITHUB_API_URL}/user`) as { readonly login: string };
    return ({ user }) => user?.login === login;
  } catch {
    return ({ user }) => user?.type === "Bot";
  }
}

/** Address of the comment an earlier run wrote, if there is one. */
async function earlier(): Promise<string | undefined> {
  const own = await isOwn();
  for (let page = 1;; page++) {
    const comments = await ask(
      "GET",
      `${issues}/${GATE_NUMBER}/comments?per_page=100&page=${page}`,
    ) as readonly Comment[];
    const found = comments.find((one) => own(one) && one.body?.startsWith(mark));
    if (found !== undefined || comments.length < 100) return found?.url;
  }
}

try {
  const url = await earlier();
  if (url === undefined) await ask("POST", `${issues}/${GATE_NUMBER}/comments`, { body });
  else await ask("PATCH", url, { body });
} catch (error) {
  process.stdout.write(`::warning::no comment was written (the job's summary has it): ${(error as Error).message}\n`);
}
