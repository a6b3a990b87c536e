import { findRevision, type Revision } from "../sources/revision.ts";
import type { Host } from "../pipe/host.ts";
import { revisionsFolder } from "../runtimes/project-folders.ts";
import { type Context, dataDirectory } from "./context.ts";

/**
 * Checks out the revision a plan measures beside this one, on the host of its servers. All runs with the same data find
 * it there. Undefined where a plan names none.
 */
export async function revisionOfRun(
  args: Context["args"],
  host: Host,
  against: Pick<Revision, "ref" | "commit"> | undefined,
): Promise<Revision | undefined> {
  if (against === undefined) return undefined;
  const revision = { ...await findRevision(against.commit), ref: against.ref };
  const root = await host.checkOut(revision, revisionsFolder(host.dataFolder(dataDirectory(args))));
  return { ...revision, root };
}
