import { join } from "node:path";
import { checkOutRevision, findRevision, type Revision } from "../host/revision.ts";
import { type Context, dataDirectory } from "./context.ts";

/** Checks out the revision a plan measures beside this one, where all runs with the same data find it; undefined without. */
export async function revisionOfRun(
  args: Context["args"],
  against: Pick<Revision, "ref" | "commit"> | undefined,
): Promise<Revision | undefined> {
  if (against === undefined) return undefined;
  const revision = { ...await findRevision(against.commit), ref: against.ref };
  return await checkOutRevision(revision, join(dataDirectory(args), "revisions"));
}
