/**
 * Measures the server of the other container as a run does (oracle, warm-up, load, oracle again) and prints one JSON line.
 * The server's process is not seen from here, so its CPU time and what limited it stay unknown: `bench run` in one
 * container has all of them.
 */
import { measurePoint, type Suite, suiteNamed } from "../../mod.ts";

const url = process.env["SERVER"] ?? "http://127.0.0.1:8080";
const users = suiteNamed("users")!;
const size = users.axes.find(({ name }) => name === "size")!.parse(process.env["SIZE"] ?? "10k") ?? 10_000;
const { files: _, ...suite } = users;
const remote: Suite = { ...suite, server: () => ({ kind: "running", url }) };

const healthy = () => fetch(`${url}/health`).then((reply) => reply.ok, () => false);
for (let tries = 0; !await healthy(); tries++) {
  if (tries === 600) throw new Error(`"${url}" did not answer for a minute`);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const { status, marks, load, bound } = await measurePoint({ suite: remote, at: { size } });
process.stdout.write(
  JSON.stringify({
    status,
    marks,
    requests_per_second: load && Math.round(load.requests_per_second),
    requests: load?.requests ?? null,
    errors: load?.errors ?? null,
    bound,
  }) + "\n",
);
