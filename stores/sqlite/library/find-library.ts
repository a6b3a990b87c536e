import { existsSync } from "node:fs";
import { join } from "node:path";
import { UnsupportedEngine } from "../../store.ts";

/** The variable that names the library file; the Nix shell sets it to nixpkgs' own. */
export const LIBRARY_VARIABLE = "LEVELFIELD_SQLITE";

/** Where Linux distributions keep libraries (Debian's folders are named for the machine). */
const LINUX_FOLDERS = [
  `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`,
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
];

/** macOS answers for this name though no such file lies on the disk. */
const DARWIN_FILE = "/usr/lib/libsqlite3.dylib";

/** The SQLite library to open: the same file for every runtime. Throws an {@link UnsupportedEngine} where there is none. */
export function findLibrary(): string {
  const named = process.env[LIBRARY_VARIABLE];
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new UnsupportedEngine(`${LIBRARY_VARIABLE} names "${named}", and there is no such file`);
  }
  if (process.platform === "darwin") return DARWIN_FILE;
  const found = LINUX_FOLDERS.map((folder) => join(folder, "libsqlite3.so.0")).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new UnsupportedEngine(
    `no libsqlite3.so.0 on this machine (try: apt-get install -y libsqlite3-0, or name one in ${LIBRARY_VARIABLE})`,
  );
}
