import { Buffer } from "node:buffer";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { firstDifference } from "../page-checks.ts";
import { checkEach } from "../check-each.ts";
import { seeded } from "../seeded.ts";
import { expectReply, type Oracle, type Reply, type Target, WrongAnswer } from "../suite.ts";
import { comesInPieces, idleFacts, waitsForReaders } from "./at-rest.ts";
import { type Compressed, ENCODINGS } from "./compress.ts";
import { FILES, isPieced, linesOf, piecesOf, rowsBody, textFor } from "./contents.ts";

/** Numbers of requests lie below this. */
export const NUMBERS = 1_000_000;

/** The body that is sent and comes back. */
export const sentRows = (): string => JSON.stringify(rowsBody());

const isCompressed = (reply: string): reply is Compressed => Object.hasOwn(ENCODINGS, reply);

/** Returns the expected reply to request `n`. */
function wantedText(reply: string, n: string): string {
  if (isPieced(reply)) return piecesOf(reply, n);
  if (isCompressed(reply)) return textFor(n);
  if (reply === "json") return JSON.stringify({ seen: rowsBody().rows.length, ...rowsBody() });
  return linesOf(FILES[reply.slice("file-".length) as keyof typeof FILES]);
}

function textOf(reply: string, path: string, { headers, body, base64 }: Reply): string {
  if (!isCompressed(reply)) return body;
  if (headers["content-encoding"] !== ENCODINGS[reply]) {
    throw new WrongAnswer(`GET ${path}: content-encoding is "${headers["content-encoding"] ?? "missing"}"`);
  }
  const bytes = Buffer.from(base64 ?? body, base64 === undefined ? "utf8" : "base64");
  try {
    return (reply.startsWith("gzip") ? gunzipSync : brotliDecompressSync)(bytes).toString("utf8");
  } catch (error) {
    throw new WrongAnswer(`GET ${path}: its ${bytes.length} bytes are not compressed: ${(error as Error).message}`);
  }
}

const ask = async (target: Target, reply: string, n: string): Promise<void> => {
  const path = `/${reply}/${n}`;
  const request = reply === "json" ? { method: "POST", path, body: sentRows() } : { path };
  const got = await expectReply(target, request, { status: 200 });
  const difference = firstDifference(textOf(reply, path, got), wantedText(reply, n));
  if (difference !== null) throw new WrongAnswer(`${request.method ?? "GET"} ${path}: ${difference}`);
  const { "content-length": length } = got.headers;
  if (reply.startsWith("file-") && Number(length) !== FILES[reply.slice("file-".length) as keyof typeof FILES]) {
    throw new WrongAnswer(`GET ${path}: content-length is "${length ?? "missing"}"`);
  }
};

const right = (reply: string, numbers: readonly number[]) =>
  checkEach("all of it comes, as it was made", numbers, (target, n) => ask(target, reply, String(n)));

/** Returns the oracle of a kind of reply; for those in pieces also with checks that no load makes. */
export function oracle(reply: string): Oracle {
  const drawn = (seed: number) => Math.floor(seeded(seed)() * NUMBERS);
  const nowhere = checkEach(
    "other paths are answered with 404",
    ["/", `/${reply}`, `/${reply}/1/2`, "/other/1"],
    (target, path) => expectReply(target, { path }, { status: 404 }),
  );
  return {
    alive: right(reply, [0]),
    checks: (seed) => [
      right(reply, [NUMBERS - 1, drawn(seed)]),
      nowhere,
      ...isPieced(reply) ? [comesInPieces(reply, seed), waitsForReaders] : [],
    ],
    sample: (seed) => right(reply, [drawn(seed)]),
    ...(isPieced(reply) ? { audit: () => idleFacts(reply) } : {}),
  };
}
