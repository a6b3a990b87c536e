import { shellQuoted } from "../basics/shell-quoted.ts";
import os from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted, formatBytes } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { nameOfPacked, PACKED } from "../host/find-runs.ts";
import { findSecrets } from "../core/secrets/find-secrets.ts";
import { contentsOf, packed, packOf, readPack, unpackTo } from "../host/pack-run.ts";
import { writePlainFile } from "../host/plain-file.ts";
import { privateTexts, type Whose } from "../host/private-texts.ts";
import { verify } from "../host/verify-run.ts";
import { printable } from "../report/align.ts";
import { harmlessJson } from "../report/harmless.ts";
import { type Context, resultsDirectory, runFolder } from "./context.ts";
import { readEach } from "./read-each.ts";
import { writeOut } from "./report.ts";

/** So many private texts are told; the rest are counted. */
const MOST_TOLD = 8;

/** `bench report --pack`: a verified run as one file, for a board. Refused where it holds secrets or says who made it. */
export function packCommand(context: Context): ExitCode {
  const { args, stdout, print, say } = context;
  const path = runFolder(context, args.words[0]);
  const [fault] = verify(path).faults;
  if (fault !== undefined) {
    throw failure(
      `"${basename(path)}" does not pass verification: ${fault}`,
      `bench verify ${shellQuoted(basename(path))}`,
    );
  }
  const pack = packOf(path);
  const secrets = findSecrets(pack.files);
  for (const { what, masked, file, line, times } of secrets) {
    say(visibleLine(`${file}:${line}: ${what} (${masked}${times === 1 ? "" : `, ${times} times`})`));
  }
  if (secrets.length > 0 && !args.has("anyway")) {
    throw usageError(
      `"${basename(path)}" holds ${counted(secrets.length, "text")} like a secret`,
      "measure without them, or --anyway to pack it all the same; a secret that was shared has to be replaced",
    );
  }
  const told = privateTexts(pack.files, thisPerson());
  for (const { what, found, file, times } of told.slice(0, MOST_TOLD)) {
    say(visibleLine(`it holds ${what}: ${found.slice(0, 80)} (${file}${times === 1 ? "" : `, ${times} times`})`));
  }
  if (told.length > MOST_TOLD) say(`and ${counted(told.length - MOST_TOLD, "text")} more of that kind`);
  if (told.length > 0 && !args.has("as-is")) {
    throw usageError(
      `"${basename(path)}" says who made it: ${counted(told.length, "text")}`,
      "measure from another folder, or --as-is to pack it all the same",
    );
  }
  const file = resolve(args.get("output") ?? `${pack.name}${PACKED}`);
  const bytes = packed(pack);
  writeOut(writePlainFile, file, bytes);
  const name = relative(process.cwd(), file) || file;
  if (args.has("json")) stdout.write(harmlessJson({ file: name, bytes: bytes.length, private: told, secrets }) + "\n");
  else print(`${printable(name)}: ${contentsOf(pack)}, ${formatBytes(bytes.length)}\n`);
  return EXIT.done;
}

function thisPerson(): Whose {
  // Some containers have a user without a name.
  let user = "";
  try {
    user = os.userInfo().username;
  } catch { /* There is nothing to look for. */ }
  return { home: os.homedir(), user, host: os.hostname() };
}

/** `bench report --unpack`: packed runs as folders of the results, each recomputed. Exit 3 where one does not hold. */
export function unpackCommand({ args, print, say, stdout, outStyle }: Context): ExitCode {
  const results = resultsDirectory(args);
  const done = readEach(args.words, (word) => {
    const file = word!;
    const pack = readPack(file);
    const path = join(results, pack.name);
    unpackTo(path, pack);
    const { faults } = verify(path);
    if (!args.has("json")) {
      const mark = faults.length === 0 ? outStyle.green("✓") : outStyle.red("✗");
      const said = faults[0] ?? "all published figures follow from its lines";
      print(`${mark} ${visibleLine(`${nameOfPacked(file)}: ${relative(process.cwd(), path) || path}: ${said}`)}\n`);
    }
    return { file, run: path, faults };
  }, say);
  if (args.has("json")) stdout.write(harmlessJson({ unpacked: done }) + "\n");
  if (done.length === 0) throw usageError("no packed run is named", `bench report --unpack RUN${PACKED}`);
  const hold = done.filter(({ faults }) => faults.length === 0).length;
  return hold === args.words.length ? EXIT.done : EXIT.invalid;
}
