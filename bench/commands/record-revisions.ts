import { failure } from "../basics/errors.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { whyApart } from "../apps/own-suite.ts";
import { recordReplies, type ReplyChange } from "../apps/record-replies.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { OwnDraft, OwnSpec } from "../record/own-spec.ts";
import { printable } from "../report/align.ts";

/**
 * Starts revisions of a server and asks each what it is asked under load. Where replies have changed, from then on their
 * statuses alone count. Throws where they cannot run at the same time.
 */
export async function recordRevisions(
  { say }: { readonly say: (line: string) => void },
  draft: OwnDraft,
  folder: string,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
): Promise<{ readonly spec: OwnSpec; readonly changes: readonly ReplyChange[] }> {
  const changes: ReplyChange[] = [];
  const tell = (line: string) => say(printable(line));
  const spec = await recordReplies(draft, folder, runtimes, hosts, tell, {
    differs: (change) => void changes.push(change),
  });
  const started = spec.servers.filter(({ name }) => spec.refused.every(({ app }) => app !== name));
  const reason = whyApart(started);
  if (reason !== null) throw failure(`revisions run at the same time: ${reason}`, "mend it in all of them");
  const other = new Set(changes.map(({ of }) => of));
  const samples = spec.samples.map((one) => other.has(one.of) ? { ...one, reply: null } : one);
  return { spec: { ...spec, samples }, changes };
}
