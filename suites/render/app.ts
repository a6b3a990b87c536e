import type { OpenApp } from "../../servers/app.ts";
import type { Library } from "./libraries/library.ts";
import { developmentBuilds, loadedFiles } from "./loaded-files.ts";
import { shownPage } from "./page.ts";

/** Returns the decoded text of a path, or undefined if it is malformed. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const HEADERS = { "content-type": "text/html; charset=utf-8" };

/**
 * The page of one library, without a framework.
 *
 * Options: `library`, a file of libraries/, and `form`, `string` or `stream`. Throws where a development build was loaded.
 */
export const open: OpenApp = async ({ options }) => {
  const { library }: { library: Library } = await import(`./libraries/${options["library"]}.ts`);
  const render = options["form"] === "stream" ? library.stream : library.string;
  const builds = loadedFiles(library.imports.map((name) => import.meta.resolve(name)));
  const slow = developmentBuilds(builds);
  const mode = process.env["NODE_ENV"] ?? "unset";
  if (slow.length > 0) throw new Error(`NODE_ENV is ${mode}, and development builds were loaded: ${slow.join(", ")}`);
  return {
    async fetch(request) {
      const n = decoded(/^\/page\/([^/]+)$/.exec(URL.parse(request.url)?.pathname ?? "")?.[1]);
      if (n === undefined) return new Response("404 Not Found", { status: 404 });
      return new Response(await render(shownPage(n)), { headers: HEADERS });
    },
    async describe() {
      const pieces: Uint8Array[] = [];
      for await (const piece of new Response(await render(shownPage("0"))).body!) pieces.push(piece);
      const pageBytes = pieces.reduce((sum, { length }) => sum + length, 0);
      const facts = { node_env: mode, builds: builds.join(", "), page_bytes: pageBytes, pieces: pieces.length };
      return { diskBytes: null, facts };
    },
  };
};
