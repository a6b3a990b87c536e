import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RuntimeName } from "../../servers/runtime.ts";
import { failure, orElse } from "../basics/errors.ts";
import { visible } from "../basics/visible.ts";
import { isVersion } from "../plan/versions.ts";
import { platformPackage } from "./fetch-runtime.ts";
import { inFreshFolder, npmIn } from "./npm.ts";
import { writePlainFile } from "../files/plain-file.ts";

const ASK_MS = 120_000;
/** The time for which npm's answer is valid; offline it is valid at any age. */
const FRESH_MS = 3_600_000;

const viewed = z.object({
  versions: z.union([z.string(), z.array(z.string())]).transform((answer) => [answer].flat()),
  "dist-tags": z.record(z.string(), z.string()),
}).transform(({ versions, "dist-tags": tags }) => ({ versions, tags }));

/** The versions of a runtime that npm has for this platform, and its tags. */
type NpmVersions = z.infer<typeof viewed>;

/** Reads npm's answer. Throws where it is none, and where it lists something else than versions: a path, an address. */
export function versionsIn(text: string): NpmVersions {
  const { data } = viewed.safeParse(orElse(() => JSON.parse(text), null));
  if (data === undefined) throw new Error("its answer lists none");
  const odd = [...data.versions, ...Object.values(data.tags)].find((version) => !isVersion(version));
  if (odd !== undefined) throw new Error(`${visible(odd)} in its answer is no version`);
  return data;
}

/** The versions of a runtime on npm, cached in a folder for an hour. Throws if npm never answered. */
export async function npmVersions(name: RuntimeName, folder: string): Promise<NpmVersions> {
  const file = join(folder, `${name}-versions.json`);
  const kept = () => orElse(() => versionsIn(readFileSync(file, "utf8")), null);
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const fresh = age < FRESH_MS ? kept() : null;
  if (fresh !== null) return fresh;
  const { package: packageName } = platformPackage(name);
  try {
    return await inFreshFolder(folder, async (fresh) => {
      const answer = await npmIn(fresh, ["view", packageName, "versions", "dist-tags", "--json"], ASK_MS);
      const listed = versionsIn(answer);
      writePlainFile(file, answer);
      return listed;
    });
  } catch (error) {
    const old = kept();
    if (old !== null) return old;
    throw failure(
      `npm does not say which versions of ${name} there are: ${(error as Error).message.split("\n")[0]}`,
      `again with a network, or name an exact version or a file: ${name}@1.2.3, ${name}=/path/to/${name}`,
      error,
    );
  }
}
