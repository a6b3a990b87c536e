import type { RunRecord } from "../record/run-record.ts";

/** What a run says of its suite's origin. */
export interface SuiteOrigin {
  readonly plan: { readonly suite: Pick<RunRecord["plan"]["suite"], "name" | "module" | "source" | "own"> };
  readonly levelfield: Pick<RunRecord["levelfield"], "source_sha256">;
}

/**
 * Returns a text that two runs share if they are of one suite: its name and, for suites that are not of this project, what
 * they were made from, since anybody may call theirs `app`.
 */
export function suiteIdentity({ plan: { suite }, levelfield }: SuiteOrigin): string {
  const { name, module, source, own } = suite;
  if (own !== undefined) {
    const servers = own.servers.map((server) =>
      server.kind === "app"
        ? [server.name, server.sha256]
        : server.kind === "command"
        ? [server.name, server.command, server.files]
        : [server.name, server.url]
    );
    return JSON.stringify([name, servers, own.requests, own.draws]);
  }
  if (source !== undefined) return JSON.stringify([name, source.sha256]);
  // A module given by its path counts as source of the run.
  return JSON.stringify(module === null ? [name] : [name, levelfield.source_sha256]);
}
