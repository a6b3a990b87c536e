/** The commenting step of action.yml, against a server that stands for the forge; and what a gate's Markdown may hold. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { gateMarkdown } from "../bench/report/gate-report.ts";
import { markdownText } from "../bench/report/markdown-table.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

interface Comment {
  readonly url: string;
  body: string;
  readonly user: { readonly login: string; readonly type: string };
}

/** A forge that keeps comments of one pull request. It says whose the token is, or that the token may not ask. */
async function onForge(
  login: string | null,
  comments: Comment[],
  work: (
    write: (file: string, where: { job: string; folder: string }) => Promise<string>,
    forge: { asked: string[]; refuses: boolean },
  ) => Promise<void>,
): Promise<void> {
  const forge = { asked: [] as string[], refuses: false };
  const answer = (request: IncomingMessage, body: string): [number, unknown] => {
    const { method, url } = request;
    assert.equal(request.headers.authorization, "Bearer secret");
    if (url === "/user") return login === null ? [403, {}] : [200, { login }];
    forge.asked.push(`${method} ${url}`);
    if (method === "GET") return [200, comments];
    if (forge.refuses) return [403, {}];
    const text = JSON.parse(body).body as string;
    const own = comments.find((one) => one.url.endsWith(url!));
    if (own !== undefined) own.body = text;
    else {
      comments.push({
        url: `${at}/comments/${comments.length}`,
        body: text,
        user: { login: login ?? "my-app[bot]", type: login === null ? "Bot" : "User" },
      });
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
  const write = async (file: string, { job, folder }: { job: string; folder: string }) => {
    const { code, stdout } = await ranToEnd("env", [
      ...[`GITHUB_API_URL=${at}`, "GITHUB_REPOSITORY=me/mine", `GATE_COMMENT=${file}`, "GATE_TOKEN=secret"],
      ...["GATE_NUMBER=12", `GATE_JOB=${job}`, `GATE_FOLDER=${folder}`],
      ...[locateRuntime("node").file, join(PROJECT_ROOT, "action", "comment.ts")],
    ]);
    assert.equal(code, 0);
    return stdout;
  };
  try {
    await work(write, forge);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const LIST = "GET /repos/me/mine/issues/12/comments?per_page=100&page=1";

/** A gate's Markdown in a file. */
function commentIn(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `<!-- levelfield gate: app.ts -->\n### ✓ ${text}\n`);
  return file;
}

test("a gate writes one comment and then over it, says why it could not, and fails for neither", async () => {
  await inTemporaryFolder((folder) =>
    onForge(null, [], async (write, forge) => {
      const where = { job: "ci/gate", folder: "." };
      await write(commentIn(folder, "a.md", "first"), where);
      await write(commentIn(folder, "b.md", "second"), where);
      assert.deepEqual(forge.asked, [LIST, "POST /repos/me/mine/issues/12/comments", LIST, "PATCH /comments/0"]);
      forge.refuses = true;
      assert.match(
        await write(commentIn(folder, "c.md", "third"), where),
        /^::warning::no comment was written .*403\n$/,
      );
    })
  );
});

test("a comment of somebody else that begins alike is left alone, whoever the token's author is", async () => {
  for (const login of [null, "our-bot"]) {
    await inTemporaryFolder(async (folder) => {
      const file = commentIn(folder, "a.md", "true");
      const comments: Comment[] = [];
      await onForge(login, comments, async (write) => {
        const where = { job: "ci/gate", folder: "." };
        await write(file, where);
        const forged = comments[0]!.body.replace("true", "forged");
        comments.unshift({ url: "/comments/99", body: forged, user: { login: "stranger", type: "User" } });
        await write(commentIn(folder, "b.md", "later"), where);
        assert.equal(comments.length, 2);
        assert.equal(comments[0]!.body, forged);
        assert.match(comments[1]!.body, /later/);
      });
    });
  }
});

test("two gates of one module, in other folders or jobs, have a comment each", async () => {
  await inTemporaryFolder((folder) => {
    const comments: Comment[] = [];
    return onForge(null, comments, async (write) => {
      const file = commentIn(folder, "a.md", "ok");
      const places = [["ci/gate", "."], ["ci/gate", "packages/b"], ["ci/other", "."], ["ci/gate", "--> <b>"]] as const;
      for (const again of [1, 2]) {
        for (const [job, at] of places) await write(file, { job, folder: at });
        assert.equal(comments.length, places.length, `time ${again}`);
      }
      assert.ok(comments.every(({ body }) => /^<!-- [^<>]* -->\n<!-- levelfield gate: app\.ts -->\n### /.test(body)));
    });
  });
});

test("what a pull request brings is printed as text: no line, code, mention, issue or address of its own", () => {
  const pair = { base_ref: "main", base_commit: "a".repeat(40), head_commit: "b".repeat(40), head_changed: false };
  const module = "app.ts\n# `@team` https://example.com -->";
  const text = gateMarkdown({ kind: "nothing-to-compare", pair, module, limit: 0.03 });
  const [mark, title, ...rest] = text.trimEnd().split("\n");
  assert.match(mark!, /^<!-- [^<>\n]* -->$/);
  assert.match(title!, /^### – `[^`]*`: /);
  assert.deepEqual(rest, []);
  for (const alive of ["@team", "a #12", "GH-7", "https://example.com", "www.example.com", "HTTP://a.b"]) {
    const printed = markdownText(alive);
    assert.ok(printed.includes("<!-- -->"), printed);
    assert.equal(printed.replaceAll("<!-- -->", ""), alive);
  }
  assert.equal(markdownText("a@ b # 3 ~~x~~"), "a@ b # 3 \\~\\~x\\~\\~");
});
