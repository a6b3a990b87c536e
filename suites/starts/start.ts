/** The function that the suite calls: it starts a program of this runtime, sends one request, and kills it. */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { type AppContext, Unsupported } from "../../servers/app.ts";
import type { Calls } from "../../servers/calls/open-calls.ts";
import { bytesReadBy, coldFact, pageCacheOf } from "./page-cache.ts";
import { programFiles } from "./program.ts";
import type { Cache, Form, StoreChoice } from "./suite.ts";

/** A program that says nothing for so long, or does not answer, has failed. */
const MOST_MS = 60_000;

/** How a program is started. */
interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the body of the reply of the server at this port, over a new connection. */
const requestOnce = (port: number) =>
  new Promise<string>((resolve, reject) => {
    let text = "";
    connect(port, "127.0.0.1").on("error", reject).setEncoding("utf8")
      .on("data", (part) => text += part)
      .on("end", () => resolve(text.split("\r\n\r\n")[1] ?? ""))
      .end("GET / HTTP/1.1\r\nhost: starts\r\nconnection: close\r\n\r\n");
  });

/**
 * Starts a program, and gives what it answers once it has ended.
 * @param itself whether it ends by itself, rather than killed
 * @param atReply receives its process id after its reply
 */
function started(
  { program, args, env = {} }: Command,
  itself = false,
  atReply: (pid: number) => void = () => {},
): Promise<string> {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env, ...(itself ? { LEVELFIELD_ONCE: "1" } : {}) },
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), MOST_MS);
  return new Promise((resolve, reject) => {
    let said = "", reply: string | null = null, requested: Promise<unknown> | undefined;
    child.stdout.setEncoding("utf8").on("data", (part) => {
      said += part;
      if (requested !== undefined || !said.includes("\n")) return;
      requested = requestOnce(Number(said)).then((body) => {
        reply = body;
        atReply(child.pid!);
        if (!itself) child.kill("SIGKILL");
      }).catch(reject);
    });
    child.on("error", reject).on("exit", () => {
      clearTimeout(limit);
      if (reply !== null) resolve(reply);
    });
    // One that ends by itself may be gone before what it printed or answered is read here.
    child.on("close", async (code, signal) => {
      await requested;
      if (reply === null) reject(new Error(`the program ended without a reply (${signal ?? code})`));
      else resolve(reply);
    });
  });
}

/** Opens the one call there is: one start, in the form that is requested. */
export async function open({ directory, options, runtime }: AppContext): Promise<Calls> {
  const form = options["form"] as Form, store = options["store"] as StoreChoice, folder = directory!;
  const at = (name: string) => join(folder, name);
  for (const [name, text] of Object.entries(programFiles(Number(options["modules"]), runtime, { store, folder }))) {
    writeFileSync(at(name), text);
  }
  const kept = at("kept");
  mkdirSync(kept);
  const cold = options["cache"] as Cache === "cold";
  const command = commandOf(runtime, form, at, cold ? runtimeOf(at) : process.execPath);
  if (form === "kept") {
    await started(command, true);
    if (!existsSync(kept) || readdirSync(kept).length === 0) throw new Error("nothing was kept of the first start");
  }
  if (!cold) return { calls: { start: () => started(command) } };
  const cache = await pageCacheOf(folder, runtime);
  const start = (atReply?: (pid: number) => void) => (cache.drop(), started(command, false, atReply));
  let bytes = 0;
  await start((pid) => bytes = bytesReadBy(pid));
  return { calls: { start: () => start() }, facts: { "page cache": coldFact(cache, bytes) } };
}

/** A copy of this runtime: its own file is mapped by this process, and what is mapped is not dropped. */
function runtimeOf(at: (name: string) => string): string {
  copyFileSync(process.execPath, at("runtime"));
  return at("runtime");
}

function commandOf(runtime: AppContext["runtime"], form: Form, at: (name: string) => string, self: string): Command {
  const script = at(form === "bundle" || form === "executable" ? "bundle.mjs" : "main.mjs");
  if (form === "executable") return { program: executableOf(runtime, script, at), args: [] };
  switch (runtime) {
    case "node":
      return { program: self, args: [script], env: form === "kept" ? { NODE_COMPILE_CACHE: at("kept") } : {} };
    case "deno": {
      // Deno keeps compiled code by itself, so not keeping it needs an option.
      const flags = form === "kept" ? [] : ["--no-code-cache"];
      return {
        program: self,
        args: ["run", "-A", "--no-config", "--no-lock", ...flags, script],
        env: { DENO_DIR: at("kept"), DENO_NO_UPDATE_CHECK: "1" },
      };
    }
    case "bun":
      return { program: self, args: [script] };
  }
}

/** Makes one file of program and runtime. Throws {@link Unsupported} where this runtime cannot here. */
function executableOf(runtime: AppContext["runtime"], script: string, at: (name: string) => string) {
  const made = at("program");
  if (runtime === "node") {
    const config = { main: script, mainFormat: "module", output: made, disableExperimentalSEAWarning: true };
    writeFileSync(at("sea.json"), JSON.stringify(config));
  }
  const args: Readonly<Record<AppContext["runtime"], readonly string[]>> = {
    node: ["--build-sea", at("sea.json")],
    deno: ["compile", "-A", "--no-config", "--no-lock", "--output", made, script],
    bun: ["build", "--compile", "--bytecode", "--target=bun", "--outfile", made, script],
  };
  try {
    execFileSync(process.execPath, args[runtime], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).replaceAll(resolve(at("")), "").trim();
    const line = said.split("\n").find((each) => /error/i.test(each)) ?? said.split("\n")[0];
    const why = runtime === "deno" && /Download/.test(said) ? "deno compile could not fetch a part of itself" : line;
    throw new Unsupported(`no executable can be made here: ${why}`);
  }
  return made;
}
