import { join } from "node:path";
import { checkOutRevision, findRevision, type Revision } from "../host/revision.ts";
import { type Context, dataDirectory } from "./context.ts";

/** Finds the revision an earlier run was measured against and checks it out; undefined when there was none. */
export async function revisionOfRun(
  args: Context["args"],
  against: Pick<Revision, "ref" | "commit"> | undefined,
): Promise<Revision | undefined> {
  if (against === undefined) return undefined;
  return await checkOut(args, { ...await findRevision(against.commit), ref: against.ref });
}

/** Checks a revision out beside this one, where all runs with the same data find it. */
export function checkOut(
  args: Context["args"],
  revision: Pick<Revision, "ref" | "commit" | "label">,
): Promise<Revision> {
  return checkOutRevision(revision, join(dataDirectory(args), "revisions"));
}
