import type { RuntimeName } from "../../servers/runtime.ts";
import type { Point } from "../../suites/suite.ts";
import { type Corpus, corpusOf, plannedRequests } from "./corpus.ts";
import { createRandom } from "../../bench/basics/random.ts";
import { stopServer } from "../../bench/process/start-server.ts";
import type { ServerProcess } from "../../bench/process/server-request.ts";
import { sendRequests } from "./ask-in-earnest.ts";
import type { FuzzApp } from "./fuzz-apps.ts";
import { type FuzzFault, type FuzzOutcome, fuzzServer } from "./fuzz-server.ts";
import { type FuzzSite, startAt } from "./fuzz-site.ts";
import { isKnownFault } from "./known-faults.ts";

/** The outcome of fuzzing an app on every runtime. */
export interface FuzzedApp {
  readonly app: string;
  readonly sent: number;
  /** By runtime, what its server must not do. */
  readonly faults: readonly (FuzzFault & { readonly runtime: string })[];
  /** Mutations of faults that are published as the framework's. */
  readonly faultsKnown: ReadonlySet<string>;
  readonly fuzzed: ReadonlyMap<RuntimeName, FuzzOutcome>;
  /** Why a runtime has no part in it. */
  readonly without: Readonly<Record<string, string>>;
  readonly corpus: Corpus;
}

/** Requests of each kind of a load. */
const PLANNED = 16;
/** A server that answered the sound requests, and is to be fuzzed. */
interface Ready {
  readonly runtime: RuntimeName;
  readonly points: readonly Point[];
  readonly server: ServerProcess;
}

/**
 * Fuzzes an app on each runtime with the same requests. The servers are fuzzed side by side: each is sent its own in order,
 * and waits for nothing most of the time.
 */
export async function fuzzApp(app: FuzzApp, site: FuzzSite): Promise<FuzzedApp> {
  const fuzzed = new Map<RuntimeName, FuzzOutcome>();
  const faults: (FuzzFault & { runtime: string })[] = [];
  const faultsKnown = new Set<string>();
  const without: Record<string, string> = {};
  const ready: Ready[] = [];
  let corpus: Corpus | undefined;
  try {
    for (const runtime of site.runtimes) {
      const points = app.points.get(runtime.name);
      if (points === undefined || site.stopped()) continue;
      const server = await startAt(app, runtime, site);
      if ("why" in server) {
        without[runtime.name] = server.why;
        if (server.fault) faults.push(faultOf(runtime.name, server.why));
        site.advance?.(site.requests);
        continue;
      }
      ready.push({ runtime: runtime.name, points, server });
      const before = await sendRequests(server.url, { suite: app.suite, points }, site.seed, "before");
      if (before.wrong !== null) faults.push(faultOf(runtime.name, `before: ${before.wrong}`));
      corpus ??= corpusOf([
        ...before.requests,
        ...points.flatMap((point) => plannedRequests(app.suite.requests(point), PLANNED, createRandom(site.seed))),
      ]);
    }
    const all = await Promise.all(ready.map((one) => fuzzOne(app, one, site, corpus!)));
    for (const [n, { runtime }] of ready.entries()) {
      const { found, wrong } = all[n]!;
      fuzzed.set(runtime, found);
      for (const one of found.faults) {
        if (/^answered .*5\d\d/.test(one.what) && isKnownFault(app.title, one.mutation)) {
          faultsKnown.add(one.mutation);
        } else faults.push({ runtime, ...one });
      }
      if (wrong !== null) faults.push(faultOf(runtime, `after: ${wrong}`));
    }
  } finally {
    for (const { server } of ready) await stopServer(server);
  }
  corpus ??= corpusOf([]);
  return {
    app: app.title,
    sent: [...fuzzed.values()].reduce((sum, { sent }) => sum + sent, 0),
    faults,
    faultsKnown,
    fuzzed,
    without,
    corpus,
  };
}

const faultOf = (runtime: RuntimeName, what: string) => ({ runtime, mutation: "the oracle", what, exchange: null });

/** Fuzzes one server, and asks it in earnest afterwards. */
async function fuzzOne(app: FuzzApp, { runtime, points, server }: Ready, site: FuzzSite, corpus: Corpus) {
  const found = await fuzzServer(targetOf(server), {
    corpus,
    requests: site.requests,
    seed: site.seed,
    descriptorsMs: site.descriptorsMs,
    stopped: site.stopped,
    progress: (sent) => site.progress(app.title, runtime, sent),
  });
  site.advance?.(site.requests);
  if (site.stopped()) return { found, wrong: null };
  const after = await sendRequests(server.url, { suite: app.suite, points }, (site.seed + 1) >>> 0, "after");
  return { found, wrong: after.wrong };
}

function targetOf({ url, pid, process: child }: ServerProcess) {
  let why: string | undefined;
  child?.ended.then((ending) => {
    const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
    const said = child.stderrTail().split("\n").find((line) => /error/i.test(line)) ?? "";
    why = `${how}${said === "" ? "" : `: ${said}`}`;
  });
  return { port: Number(new URL(url).port), pid, ended: () => why };
}
