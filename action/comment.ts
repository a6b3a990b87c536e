/**
 * The commenting step of action.yml: writes the gate's Markdown under the pull request, over what an earlier run wrote
 * there. A token that may not write, as that of a pull request from a fork, is no reason to fail.
 */
import { readFileSync } from "node:fs";

const { GITHUB_API_URL, GITHUB_REPOSITORY, GATE_COMMENT, GATE_TOKEN, GATE_NUMBER } = process.env;
const body = readFileSync(GATE_COMMENT!, "utf8");
/** The first line names the gate: it is a comment nobody sees, the same for each run. */
const mark = body.slice(0, body.indexOf("\n"));
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

/** Address of the comment an earlier run wrote, if there is one. */
async function earlier(): Promise<string | undefined> {
  for (let page = 1;; page++) {
    const comments = await ask("GET", `${issues}/${GATE_NUMBER}/comments?per_page=100&page=${page}`) as {
      readonly url: string;
      readonly body?: string;
    }[];
    const own = comments.find((one) => one.body?.startsWith(mark));
    if (own !== undefined || comments.length < 100) return own?.url;
  }
}

try {
  const url = await earlier();
  if (url === undefined) await ask("POST", `${issues}/${GATE_NUMBER}/comments`, { body });
  else await ask("PATCH", url, { body });
} catch (error) {
  process.stdout.write(`::warning::no comment was written (the job's summary has it): ${(error as Error).message}\n`);
}
