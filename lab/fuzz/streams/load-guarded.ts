import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Generator, LoadPlan } from "../../../bench/generators/generator.ts";
import { programFolder } from "../../../bench/process/program-files.ts";
import type { RequestPlan } from "../../../suites/suite.ts";
import { faultOf, startGuarded } from "./guarded.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Time in ms without a reply after which a generator gives up, and after which its process hangs. */
const TIMEOUT_MS = 10_000;
export const PATIENCE_MS = Number(process.env["LEVELFIELD_PATIENCE_MS"] ?? 300_000);

/** The kind of peer of a client; a sound one must not make it fail. */
export type Peer = "sound" | "mutated";

/**
 * Loads a server with a generator under guards. Returns why the generator is at fault, or null: a server that is wrong may end it
 * with a line, and else it has to print a report that can be read.
 */
export async function loadGuarded(
  generator: Generator,
  requests: RequestPlan,
  most: number,
  port: number,
  peer: Peer,
): Promise<string | null> {
  const targets = [{ url: `http://127.0.0.1:${port}`, requests }] as unknown as LoadPlan["targets"];
  const plan: LoadPlan = {
    ...{ targets, threads: 1, durationMs: PATIENCE_MS, requests: most, timeoutMs: TIMEOUT_MS, seed: 1, load: 0 },
  };
  const folder = programFolder(generator.input?.(plan) ?? {});
  try {
    const args = generator.args(plan, folder.path), script = relative(ROOT, args[args.indexOf("-s") + 1]!);
    const headers = args.flatMap((arg, n) => args[n - 1] === "-H" ? [arg.split(/: (.*)/s) as [string, string]] : []);
    const child = startGuarded({ script, headers: Object.fromEntries(headers), handles: folder.handles }, port);
    folder.close();
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    const fault = await faultOf(child), ended = await child.ended;
    clearTimeout(timer);
    if (fault !== null) return fault;
    if (!("code" in ended) || ended.code !== 0) return peer === "sound" ? child.stderrTail() : null;
    generator.parse(child.stdout(), plan, {});
    return null;
  } catch (error) {
    return String(error);
  } finally {
    folder.remove();
  }
}
