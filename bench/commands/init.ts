import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_FILES, findConfig } from "../options/config.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { lookAtFolder, type Proposal, startedBy } from "../apps/look-at-folder.ts";
import type { Context } from "./context.ts";

/** `bench init`: looks at the current folder, starts nothing, and writes or prints a first config to be filled in. */
export function initCommand({ args, say, give }: Context): ExitCode {
  const folder = process.cwd(), isDry = args.has("dry-run");
  const there = findConfig(folder);
  if (there !== undefined && !isDry) {
    throw usageError(
      `"${CONFIG_FILES.find((name) => there.endsWith(name))}" is there already, and is left as it is`,
      "bench init --dry-run prints what would be written; bench run uses the one that is there",
    );
  }
  const { name, candidates } = lookAtFolder(folder);
  const [first, ...others] = candidates;
  if (first === undefined) {
    throw usageError(
      "there is no app here: no module with a default export, no script that starts a server, none that listens",
      'bench run --app ./FILE, --program ./FILE, --command "WORDS" or --target URL measures what you name; see docs/configuration.md',
    );
  }
  say(visibleLine(`takes ${startedBy(first)}: ${first.why}`));
  for (const other of others) say(visibleLine(`leaves out ${startedBy(other)}: ${other.why}`));
  const text = configText(first, name);
  if (isDry) give(text);
  else {
    writeFileSync(join(folder, CONFIG_FILES[0]), text, { flag: "wx" });
    say(`${CONFIG_FILES[0]} is written, and nothing was started. Fill in its requests, then: bench run --dry-run`);
  }
  return EXIT.done;
}

/** The text of a first config, whose comments name the first keys to change. */
function configText(server: Proposal, named: string | null): string {
  const words = server.kind === "app" ? `./${server.file}` : server.words;
  const name = named ?? (server.kind === "app" ? "app" : "server");
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const about = {
    app: "",
    program:
      "  // Started on each runtime, with the port in PORT. Where / is no path of it, `ready` names one that is.\n",
    command:
      "  // Started with the port in PORT, and where {port} stands in it; `port` names one that it always takes.\n",
  };
  return `import { defineConfig } from "levelfield";

/** Written by bench init. docs/configuration.md of Levelfield lists every key; options on the command line win over it. */
export default defineConfig({
${about[server.kind]}  ${server.kind}: { ${key}: ${JSON.stringify(words)} },
  // The requests to send: all equally often, unless one has a weight.
  request: [
    "GET /",
    // { method: "POST", path: "/items", body: {} },
  ],
  // Parts of replies that change by themselves or by runtime:
  // ignore: ["header:etag"],
  // Minutes for a first look. Without it a run takes longer and sees smaller differences.
  quick: true,
});
`;
}
