import { execFile } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import type { test } from "node:test";

/** What a finished command left. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function run(
  file: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { maxBuffer: 64 << 20, ...(cwd && { cwd }), ...(env && { env }) },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr: code === null ? `${stderr}${error!.message}` : stderr });
      },
    );
  });
}

/** Runs a command and returns its stdout. Throws with the end of its output when it fails. */
export async function must(...call: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...call);
  if (code === 0) return stdout;
  throw new Error(`"${call[0]} ${call[1].join(" ")}" ended with ${code}:\n${(stdout + stderr).slice(-4000)}`);
}

/** This process's environment with changes. */
export function environmentWith(changes: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return { ...env, ...changes };
}

/** A port of loopback nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** `test`, or a skip that says why: these tests take programs that few machines have. */
export function testUnless(
  missing: string | undefined,
  tester: typeof test,
): (name: string, body: () => Promise<void>) => void {
  return missing === undefined ? tester : (name, body) => tester.skip(`${name} (${missing})`, body);
}
