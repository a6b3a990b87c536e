/** A folder that springs when something of it runs unasked, and the commands that must not spring it. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "./run-bench.ts";

/** Fills a folder with whatever a driver or the bench might run by itself; each leaves a marker. */
export function trapIn({ folder }: Site) {
  const marker = join(folder, "marker");
  const leave = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");\n`;
  writeFileSync(join(folder, "levelfield.config.ts"), `${leave}export default { results: "elsewhere" };\n`);
  writeFileSync(join(folder, "preloaded.ts"), leave);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preloaded.ts"]\n');
  writeFileSync(join(folder, ".env"), "LEVELFIELD_DATA=/nowhere\n");
  writeFileSync(join(folder, "package.json"), '{"scripts":{"start":"node ./web.mjs"}}');
  writeFileSync(join(folder, "web.mjs"), `import "node:http";\n${leave}`);
  writeFileSync(join(folder, "app.ts"), `${leave}export default { fetch: () => new Response("a") };\n`);
  writeFileSync(join(folder, "deno.json"), '{"imports":{"zod":"./preloaded.ts"}}\n');
  return {
    isSprung: () => existsSync(marker),
    reset: () => rmSync(marker, { force: true }),
  };
}

/** Commands that measure, serve and build nothing. */
export const LINES: readonly (readonly string[])[] = [
  ["verify", "theirs"],
  ["show", "theirs"],
  ["show", "--list"],
  ["compare", "theirs", "theirs"],
  ["report", "theirs"],
  ["compare"],
  ["list"],
  ["agent"],
  ["doctor"],
  ["reproduce", "theirs", "--with", "theirs"],
  ["settle", "theirs", "--dry-run"],
  ["run", "--plan", "none.json"],
  ["run", "--resume", "none"],
  ["init", "--dry-run"],
  ["help"],
  ["--version"],
];
