import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { whyNotShared } from "./shared-paths.ts";
import { ignoredOf } from "./work-tree.ts";

/** A base that is written out of a work tree, and the paths between them. */
interface Written {
  readonly root: string;
  readonly folder: string;
  /** Paths that differ between the two, from the root. */
  readonly changed: readonly string[];
}

/** A file by which two revisions differ, or are the same, for another reason than the change. */
export interface ForeignFile {
  /** From the repository's root. */
  readonly path: string;
  readonly kind: "base-lacks" | "base-reads-yours";
  readonly text: string;
}

/** Paths of the work tree among opened ones, without packages and the base, whose folder may lie in it. */
const inside = ({ root, folder }: Written, opened: ReadonlySet<string>): string[] =>
  [...opened].filter((path) => path.startsWith(`${root}/`) && !path.startsWith(`${folder}/`)).map((path) =>
    relative(root, path)
  )
    .filter((path) => !path.split("/").includes("node_modules"));

/**
 * Returns the first file that is neither a revision's own nor the same bytes for both; null without one: a file of the
 * work tree that the base opens though it has changed, or one that git ignores and the base has not. Packages are looked
 * at elsewhere.
 *
 * @param base true paths of the files that the base opens
 * @param yours those of the work tree's server
 */
export async function foreignFile(
  written: Written,
  base: ReadonlySet<string>,
  yours: ReadonlySet<string>,
): Promise<ForeignFile | null> {
  const { root, folder, changed } = written;
  const lent = inside(written, base);
  const ignored = new Set(await ignoredOf({ root }, [...new Set([...lent, ...inside(written, yours)])]));
  for (const path of lent) {
    const why = whyNotShared(root, path, { changed, isIgnored: ignored.has(path) });
    if (why === null) continue;
    return { path, kind: "base-reads-yours", text: `the base reads "${path}" of the work tree, which ${why}` };
  }
  const lacking = inside(written, yours).find((path) => ignored.has(path) && !existsSync(join(folder, path)));
  if (lacking === undefined) return null;
  return {
    path: lacking,
    kind: "base-lacks",
    text: `yours reads "${lacking}", which git ignores and the base has not`,
  };
}
