/** The commenting step of action.yml, against a server that stands for the forge; and what a gate's Markdown may hold. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { writeComment } from "../action/comment.ts";
import { folderTest, inTemporaryFolder, ranToEnd } from "./testing.ts";

/** Where a gate runs. */
interface Place {
  readonly job: string;
  readonly folder: string;
  readonly matrix?: unknown;
}

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
}

/** Who a token is, and which way of asking it has: none for the default token of a workflow on some forges. */
interface Token {
  readonly login: string;
  readonly asks: "graphql" | "user" | "neither";
  /** The forge it is of; GitHub where it is left out. */
  readonly of?: keyof typeof FORGES;
}

const TOKENS: readonly Token[] = [
  { login: "github-actions[bot]", asks: "graphql" },
  { login: "github-actions[bot]", asks: "neither" },
  { login: "my-app[bot]", asks: "graphql" },
  { login: "our-bot", asks: "user" },
  { login: "forgejo-actions", asks: "neither", of: "forgejo" },
  { login: "project_1_bot", asks: "user", of: "gitlab" },
];

/** Addresses of a forge for comments of one pull request, as its API has them. */
const FORGES = {
  github: { root: "", all: "/repos/me/mine/issues/12/comments", one: "/repos/me/mine/issues/comments/", over: "PATCH" },
  forgejo: {
    root: "/api/v1",
    all: "/api/v1/repos/me/mine/issues/12/comments",
    one: "/api/v1/repos/me/mine/issues/comments/",
    over: "PATCH",
  },
  gitlab: {
    root: "/api/v4",
    all: "/api/v4/projects/5/merge_requests/12/notes",
    one: "/api/v4/projects/5/merge_requests/12/notes/",
    over: "PUT",
  },
} as const;

/** A forge that keeps comments of one pull request. */
async function onForge(
  { login, asks, of = "github" }: Token,
  comments: Comment[],
  work: (
    write: (file: string, where: Place) => Promise<string | null>,
    forge: { asked: string[]; refuses: boolean },
    step: (file: string, where: Place) => Promise<string>,
  ) => Promise<void>,
): Promise<void> {
  const forge = { asked: [] as string[], refuses: false };
  const answer = (request: IncomingMessage, body: string): [number, unknown] => {
    const { method, url } = request;
    const { root, all, one } = FORGES[of];
    const { authorization = "", "private-token": key } = request.headers;
    assert.equal(key ?? authorization, of === "gitlab" ? "secret" : "Bearer secret");
    const person = of === "gitlab" ? { username: login } : { login };
    if (url === `${root}/user`) return asks === "user" ? [200, person] : [403, {}];
    if (url === `${root}/graphql`) return asks === "graphql" ? [200, { data: { viewer: { login } } }] : [404, {}];
    forge.asked.push(`${method} ${url}`);
    if (method === "GET") {
      return [
        200,
        comments.map(({ user, ...rest }) =>
          of === "gitlab" ? { ...rest, author: { username: user.login } } : { ...rest, user }
        ),
      ];
    }
    if (forge.refuses) return [403, {}];
    const text = JSON.parse(body).body as string;
    const own = comments.find(({ id }) => url === `${one}${id}`);
    if (own !== undefined) own.body = text;
    else {
      assert.equal(url, all);
      const type = login.endsWith("[bot]") ? "Bot" : "User";
      comments.push({ id: comments.length, body: text, user: { login, type } });
    }
    return [200, {}];
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => body += text).on("end", () => {
      const [status, told] = answer(request, body);
      response.writeHead(status).end(JSON.stringify(told));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const variables = (file: string, { job, folder, matrix = null }: Place) => ({
    ...(of === "gitlab"
      ? { CI_API_V4_URL: `${at}/api/v4`, CI_PROJECT_ID: "5" }
      : { GITHUB_API_URL: `${at}${FORGES[of].root}`, GITHUB_REPOSITORY: "me/mine" }),
    ...{
      GATE_COMMENT: file,
      GATE_TOKEN: "secret",
      GATE_NUMBER: "12",
    },
    ...{ GATE_JOB: job, GATE_FOLDER: folder, GATE_MATRIX: JSON.stringify(matrix) },
  });
  const write = (file: string, place: Place) => writeComment(variables(file, place));
  const step = async (file: string, place: Place) => {
    const given = Object.entries(variables(file, place)).map(([name, value]) => `${name}=${value}`);
    const script = join(PROJECT_ROOT, "action", "comment.ts");
    const { code, stdout } = await ranToEnd("env", [...given, locateRuntime("node").file, script]);
    assert.equal(code, 0);
    return stdout;
  };
  try {
    await work(write, forge, step);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A gate's Markdown in a file. */
function commentIn(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `<!-- levelfield gate: app.ts -->\n### ✓ ${text}\n`);
  return file;
}

test("a gate writes one comment and then over it, whoever the token's author is", async () => {
  for (const token of TOKENS) {
    await inTemporaryFolder((folder) =>
      onForge(token, [], async (write, forge) => {
        const where = { job: "ci/gate", folder: "." };
        await write(commentIn(folder, "a.md", "first"), where);
        await write(commentIn(folder, "b.md", "second"), where);
        const { all, one, over } = FORGES[token.of ?? "github"];
        const list = `GET ${all}?per_page=100&page=1`;
        const asked = [list, `POST ${all}`, list, `${over} ${one}0`];
        assert.deepEqual(forge.asked, asked, `${token.login} by ${token.asks}`);
      })
    );
  }
});

folderTest(
  "the action's step says why it could not write, and does not fail",
  (folder) =>
    onForge(TOKENS[0]!, [], async (_write, forge, step) => {
      const where = { job: "ci/gate", folder: "." };
      assert.equal(await step(commentIn(folder, "a.md", "first"), where), "");
      forge.refuses = true;
      assert.match(
        await step(commentIn(folder, "b.md", "second"), where),
        /^::warning::no comment was written .*403\n$/,
      );
    }),
);

test("a comment of another person or bot that begins alike is left alone, whoever the token's author is", async () => {
  for (const token of TOKENS) {
    await inTemporaryFolder(async (folder) => {
      const file = commentIn(folder, "a.md", "true");
      const comments: Comment[] = [];
      await onForge(token, comments, async (write) => {
        const where = { job: "ci/gate", folder: "." };
        await write(file, where);
        const forged = comments[0]!.body.replace("true", "forged");
        const others = [["stranger", "User"], ["other-app[bot]", "Bot"], ["github-actions", "User"]] as const;
        for (const [n, [login, type]] of others.entries()) {
          comments.unshift({ id: 90 + n, body: forged, user: { login, type } });
        }
        await write(commentIn(folder, "b.md", "later"), where);
        assert.deepEqual(comments.map(({ body }) => body === forged), [true, true, true, false], token.login);
        assert.match(comments.at(-1)!.body, /later/);
      });
    });
  }
});

folderTest("a forge that knows no pages is asked twice at most", async (folder) => {
  const user = { login: "stranger", type: "User" };
  const comments: Comment[] = Array.from({ length: 100 }, (_, n) => ({ id: 100 + n, body: "hello", user }));
  await onForge(TOKENS.find(({ of }) => of === "forgejo")!, comments, async (write, forge) => {
    assert.equal(await write(commentIn(folder, "a.md", "ok"), { job: "ci/gate", folder: "." }), null);
    assert.deepEqual(forge.asked.map((line) => line.split(" ")[0]), ["GET", "GET", "POST"]);
  });
});

folderTest("a comment of the same author that is no gate's, or another gate's, is left alone", async (folder) => {
  const comments: Comment[] = [];
  await onForge(TOKENS[0]!, comments, async (write) => {
    const where = { job: "ci/gate", folder: "." };
    await write(commentIn(folder, "a.md", "true"), where);
    const user = comments[0]!.user;
    const other = [
      comments[0]!.body.replace("app.ts", "b.ts"),
      `Quoted:\n${comments[0]!.body}`,
      "<!-- levelfield gate: app.ts -->",
    ];
    comments.unshift(...other.map((body, n) => ({ id: 90 + n, body, user })));
    await write(commentIn(folder, "b.md", "later"), where);
    assert.deepEqual(comments.slice(0, 3).map(({ body }) => body), other);
    assert.match(comments.at(-1)!.body, /later/);
    assert.equal(comments.length, 4);
  });
});

folderTest("two gates of one module, in other folders, jobs or jobs of a matrix, have a comment each", (folder) => {
  const comments: Comment[] = [];
  return onForge(TOKENS[0]!, comments, async (write) => {
    const file = commentIn(folder, "a.md", "ok");
    const places: Place[] = [
      ...[{ job: "ci/gate", folder: "." }, { job: "ci/gate", folder: "packages/b" }, { job: "ci/other", folder: "." }],
      ...[{ job: "ci/gate", folder: "--> <b>" }, { job: "ci/gate", folder: "--? ?b?" }],
      ...[{ node: ">=24" }, { node: "<=24" }, { node: 24 }, { node: "24" }].map((matrix) => ({
        ...{ job: "ci/gate", folder: ".", matrix },
      })),
    ];
    for (const again of [1, 2]) {
      for (const place of places) await write(file, place);
      assert.equal(comments.length, places.length, `time ${again}`);
    }
    assert.ok(comments.every(({ body }) => /^<!-- [^<>]* -->\n<!-- levelfield gate: app\.ts -->\n### /.test(body)));
  });
});
