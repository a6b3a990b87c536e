import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { here } from "../../tests/record-apps.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { localHost } from "../pipe/local-host.ts";
import { leakMark, leakOf, type SizeReading } from "../judge/leak.ts";

const SIZE = 65_536;
const KEEPS = `const kept = []; const take = (own) => kept.push(own);`;
const DROPS = `let last; const take = (own) => last = own;`;
const app = (holds: string) =>
  `${holds} export default () => { take(new Uint8Array(${SIZE}).fill(1)); return new Response("a"); };`;

/** What a real server held on its way through a warm-up of 3 000 requests, before a window of 2 000 and after it. */
const readingsOf = (text: string) =>
  inTemporaryFolder(async (folder) => {
    const module = join(folder, "app.mjs");
    writeFileSync(module, text);
    const host = localHost();
    const server = await host.serve({ spec: { kind: "app", runtime: here.label, module }, runtime: here, cpus: null });
    assert.ok("url" in server, JSON.stringify(server));
    try {
      const client = host.client(server.url, PATIENCE_MS);
      const readings: SizeReading[] = [];
      let sent = 0;
      const read = async (requests: number) => {
        for (; requests > 0; requests--, sent++) await client.send("GET", "/");
        const { bytes, descriptors } = (await host.sizeOf(server.pid!))!;
        readings.push([sent, bytes, descriptors]);
      };
      for (let n = 0; n < 40; n++) await read(75);
      await read(0);
      await read(2_000);
      client.close();
      return readings;
    } finally {
      await host.stop(server);
      await host.close();
    }
  });

test("a server that keeps what each request needed is found, and its verdicts withheld", async () => {
  const readings = await readingsOf(app(KEEPS));
  assert.equal(leakMark([readings])?.code, "memory-kept", JSON.stringify(readings));
});

test("one that needs as much and keeps none of it is not", async () => {
  const readings = await readingsOf(app(DROPS));
  assert.equal(leakOf(readings)?.kept ?? null, null, JSON.stringify(readings));
});
