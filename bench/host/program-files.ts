import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Body } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";

/** A folder with the files a program needs, among the temporary ones. Throws where it cannot be written, and leaves none. */
export function programFolder(files: Readonly<Record<string, Body>>): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "levelfield-load-"));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    writeFiles(files, path);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

/** Writes the files a program needs into a folder, for this user's eyes: they hold headers, too. */
function writeFiles(files: Readonly<Record<string, Body>>, folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), bodyBytes(content), { mode: 0o600, flag: "wx" });
  }
}

/** What a program wrote into its folder; a file that is not there is left out. */
export function readFiles(names: readonly string[], folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of names) {
    try {
      files[name] = readFileSync(join(folder, name), "utf8");
    } catch {
      // Its reader says what that means.
    }
  }
  return files;
}
