import { setTimeout as sleep } from "node:timers/promises";
import { FOLDER } from "../pipe/host.ts";
import type { Site } from "./site.ts";

/** Time limit for strace to attach to a process, in ms. */
const HOLD_MS = 30_000;
const ASK_EVERY_MS = 20;

/**
 * Counts the system calls of a process by kind while something is done, by strace, which slows it down: counts alone are
 * worth anything. Gives null where strace is not installed, or why it could not.
 */
export async function systemCallsDuring(
  pid: number,
  work: () => Promise<void>,
  { hosts: { server }, placement, onStart }: Pick<Site, "hosts" | "placement" | "onStart">,
): Promise<Readonly<Record<string, number>> | { readonly failed: string } | null> {
  const strace = await server.findProgram({ program: "strace", versionArgs: ["--version"] });
  if (strace === null) return null;
  const tracer = await server.start({
    file: strace.program,
    args: ["-c", "-f", "-o", `${FOLDER}/calls`, "-p", String(pid)],
    cpus: placement.loadCpus,
    env: {},
    output: ["calls"],
  }, { onStart });
  let over = false;
  const ended = tracer.ended.finally(() => over = true);
  const until = performance.now() + HOLD_MS;
  while (!over && performance.now() < until && !/ attached/.test(tracer.stderrTail())) {
    await sleep(ASK_EVERY_MS);
  }
  try {
    if (!over) await work();
  } finally {
    await tracer.kill("SIGINT");
  }
  const ending = await ended;
  const text = "failed" in ending ? "" : ending.files?.["calls"] ?? "";
  const calls = parseStraceCounts(text);
  const why = "failed" in ending ? ending.failed : tracer.stderrTail().split("\n").at(-1) || "it counted nothing";
  return Object.keys(calls).length === 0 ? { failed: why } : calls;
}

/** Parses the output of `strace -c` into calls by kind. */
export function parseStraceCounts(text: string): Record<string, number> {
  const rows = text.matchAll(/^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+([a-z_]\w*)$/gm);
  return Object.fromEntries([...rows].flatMap(([, calls, name]) => name === "total" ? [] : [[name!, Number(calls)]]));
}
