import { realpathSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, sep } from "node:path";
import { readPlainFile } from "./plain-file.ts";

/** The reply to a request. */
type Reply = {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** True for a file made by this project, which states itself which scripts it runs. */
  readonly ours?: boolean;
  /** The path of the file, links followed. */
  readonly location?: string;
};

/** A file that came from elsewhere must not act as this site: it gets no script, and an origin of its own. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
const PAGE_POLICY = "frame-ancestors 'none'";

const TEXT = "text/plain; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".ndjson": TEXT,
  ".svg": "image/svg+xml",
};

const plain = (status: number, text: string): Reply => ({ status, type: TEXT, body: `${text}\n` });

/**
 * Returns the reply for a path below a folder. Paths that lead out of it are refused: `..` in any spelling, and links,
 * which are followed first and must end inside.
 *
 * @param path the path of the request as it came, still encoded
 */
export function fileReply(folder: string, path: string): Reply {
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return plain(400, "the address is not well formed");
  }
  if (/[\0\\]/.test(name) || name.split("/").some((part) => part === ".." || part.startsWith("."))) {
    return plain(403, "refused: outside the results");
  }
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, name));
    if (!file.startsWith(root + sep)) return plain(403, "refused: outside the results");
    return { status: 200, type: TYPES[extname(file)] ?? "application/octet-stream", body: readPlainFile(file) };
  } catch {
    return plain(404, "no such file");
  }
}

/**
 * Serves pages made on demand and the files of a folder, to this machine only: it listens on 127.0.0.1. Requests that
 * name another host are refused: no foreign page can read results through the browser. Files run no script: one run's
 * must not read another's.
 *
 * @param pageFor the page of a path, or undefined to serve a file
 */
export async function serveFolder(
  { folder, port, pageFor }: {
    readonly folder: string;
    readonly port: number;
    readonly pageFor: (path: string) => string | undefined;
  },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const send = ({ status, type, body, ours = false, location }: Reply) => {
      response.writeHead(status, {
        "content-type": type,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": ours ? PAGE_POLICY : FILE_POLICY,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        ...(location === undefined ? {} : { location }),
      });
      response.end(request.method === "HEAD" ? undefined : body);
    };
    try {
      if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? "")) {
        return send(plain(403, "refused: this page is for this machine only"));
      }
      if (request.method !== "GET" && request.method !== "HEAD") return send(plain(405, "only GET"));
      const path = (request.url ?? "/").split(/[?#]/)[0]!;
      const page = pageFor(path);
      // A page's links lead on from its folder, so its address ends in a slash.
      if (page === undefined && !path.endsWith("/") && pageFor(`${path}/`) !== undefined) {
        return send({ ...plain(308, `it is at ${path}/`), location: `${path}/` });
      }
      send(
        page === undefined ? fileReply(folder, path) : { status: 200, type: TYPES[".html"]!, body: page, ours: true },
      );
    } catch (error) {
      send(plain(500, (error as Error).message));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
  const { port: chosen } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${chosen}/`,
    close: () => {
      server.closeAllConnections?.();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
