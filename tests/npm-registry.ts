/** A registry of npm on loopback with versions of one runtime's package, and a folder to fetch from it in. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { platformPackage } from "../bench/runtimes/fetch-runtime.ts";
import type { RuntimeName } from "../servers/runtime.ts";
import { ranToEnd } from "./testing.ts";

/** One registry of several behind one server; each answers below an address of its own. */
export interface Registry {
  /** Tags beside its versions. */
  tags: Record<string, string>;
  /** The SHA-512 it names for a version; null where it names none. By default that of the bytes. */
  integrity: (bytes: Buffer, to: "view" | "pack") => string | null;
  /** Holds back all bytes of packages until it resolves. */
  until: Promise<unknown>;
  /** Paths that were asked for. */
  readonly asked: string[];
}

export const sha512 = (bytes: Buffer) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

/** Packs a runtime's package as npm does, with a program that holds a text. */
async function packed(name: RuntimeName, version: string, text: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-pack-"));
  try {
    const { package: packageName, binary } = platformPackage(name);
    const file = join(folder, "package", binary);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(folder, "package", "package.json"), JSON.stringify({ name: packageName, version }));
    writeFileSync(file, text, { mode: 0o755 });
    const { stderr, code } = await ranToEnd("tar", ["-czf", "packed.tgz", "package"], folder);
    if (code !== 0) throw new Error(stderr);
    return readFileSync(join(folder, "packed.tgz"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Serves two registries, `ours` and `theirs`, with the same versions of a runtime: a program of the first holds "ours", one
 * of the second "theirs".
 */
export async function withRegistries(
  name: RuntimeName,
  versions: readonly string[],
  work: (ours: Registry, theirs: Registry, at: string, close: () => void) => Promise<void>,
): Promise<void> {
  const { package: packageName } = platformPackage(name);
  const registries = await Promise.all(["ours", "theirs"].map(async (owner) => {
    const packages = new Map<string, Buffer>();
    for (const version of versions) packages.set(version, await packed(name, version, owner));
    const registry: Registry = { tags: {}, integrity: sha512, until: Promise.resolve(), asked: [] };
    return { owner, packages, registry };
  }));
  const server = createServer(async ({ url = "", headers }, response: ServerResponse) => {
    const { owner, packages, registry } = registries.find(({ owner }) => url.startsWith(`/${owner}/`))!;
    const path = decodeURIComponent(url.slice(owner.length + 2));
    registry.asked.push(path);
    const version = /([^/]*)\.tgz$/.exec(path)?.[1];
    if (version !== undefined) {
      await registry.until;
      return void response.end(packages.get(version));
    }
    if (path !== packageName) return void response.writeHead(404).end("{}");
    const to = headers.accept?.includes("install-v1") ? "pack" : "view";
    const entries = [...packages].map(([version, bytes]) => {
      const integrity = registry.integrity(bytes, to);
      const dist = { tarball: `${at}/${owner}/${version}.tgz`, ...(integrity === null ? {} : { integrity }) };
      return [version, { name: packageName, version, dist }];
    });
    const listed = { name: packageName, "dist-tags": registry.tags, versions: Object.fromEntries(entries) };
    response.setHeader("content-type", "application/json").end(JSON.stringify(listed));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    await work(registries[0]!.registry, registries[1]!.registry, at, close);
  } finally {
    close();
  }
}
