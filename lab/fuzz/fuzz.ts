import type { Suite } from "../../suites/suite.ts";
import { LEAST_GROWTH_BYTES, MOST_BYTES_A_REQUEST } from "../../bench/statistics/growth.ts";
import { exchangeAt } from "./make-exchange.ts";
import { failure, usageError } from "../../bench/basics/errors.ts";
import { prepareFiles } from "../../bench/observe/prepare-files.ts";
import type { Measurement } from "../self/measurements.ts";
import type { SelfSite } from "../self/self-site.ts";
import { measured } from "../measured.ts";
import { fuzzApp, type FuzzedApp } from "./fuzz-app.ts";
import { type FuzzApp, fuzzApps } from "./fuzz-apps.ts";
import { counted } from "../../bench/basics/units.ts";

/** Characters of a request that are shown with its fault. */
const SHOWN_CHARS = 240;

/** The amounts that each server is sent. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Parts of titles of apps; all apps where there are none. */
  readonly apps: readonly string[];
}

/**
 * Sends every app on every runtime sound requests and odd ones. None may make it crash, hang, leak or answer with a 5xx.
 */
export async function measureFuzz(
  site: SelfSite,
  suites: readonly Suite[],
  { requests, seed, apps: wanted }: FuzzOptions,
): Promise<Measurement[]> {
  const { equipment: { runtimes }, interrupts, dataDirectory } = site;
  const apps = chosenApps(suites, wanted);
  const files = await prepareFiles({
    dataDirectory,
    specs: apps.flatMap(({ suite, points }) => [...points.values()].flatMap(([point]) => suite.files?.(point!) ?? [])),
    onStart: interrupts.onStart,
  });
  if (files.failed !== null) throw failure(files.failed, "bench all --prepare");
  const clock = etaOf(apps.length * runtimes.size * requests);
  const measurements: Measurement[] = [];
  for (const [n, app] of apps.entries()) {
    if (interrupts.stopped()) break;
    const found = await fuzzApp(app, {
      runtimes: [...runtimes.values()],
      files,
      requests,
      seed,
      stopped: interrupts.stopped,
      onStart: interrupts.onStart,
      progress: (name, runtime, sent) =>
        site.say(`fuzz: ${name} on ${runtime}, app ${n + 1}/${apps.length}, ${sent}/${requests}${clock.left()}`),
      advance: clock.advance,
    });
    if (interrupts.stopped()) break;
    report(site, found, seed);
    measurements.push(...measurementsOf(app, found, seed));
  }
  return measurements;
}

/** Apps with one of these words in their titles. Throws a usage error for a word that is in none. */
function chosenApps(suites: readonly Suite[], wanted: readonly string[]): FuzzApp[] {
  const apps = fuzzApps(suites);
  for (const word of wanted) {
    if (apps.some(({ title }) => title.includes(word))) continue;
    throw usageError(`no app has "${word}" in its title`, `known are ${apps.map(({ title }) => title).join(", ")}`);
  }
  return wanted.length === 0 ? apps : apps.filter(({ title }) => wanted.some((word) => title.includes(word)));
}

/** Estimates the remaining time for so many requests, once some have been sent. */
function etaOf(total: number) {
  const started = performance.now();
  let sent = 0;
  return {
    advance: (more: number) => void (sent += more),
    left(): string {
      if (sent === 0) return "";
      const ms = (performance.now() - started) * Math.max(0, total - sent) / sent;
      return `, ${Math.ceil(ms / 60_000)} min left`;
    },
  };
}

/** Says each fault, with the request that showed it. */
function report({ say }: SelfSite, { app, corpus, faults }: FuzzedApp, seed: number): void {
  const request = (n: number | null) =>
    n === null
      ? ""
      : `: request ${n} of seed ${seed}, ${JSON.stringify(exchangeAt(corpus, seed, n).bytes.slice(0, SHOWN_CHARS))}`;
  for (const { runtime, mutation, what, exchange } of faults) {
    say(`${app} on ${runtime}: ${mutation}: ${what}${request(exchange)}`);
  }
}

/** The figures of one app: how many faults, and what memory and descriptors grew by. */
function measurementsOf({ title }: FuzzApp, found: FuzzedApp, seed: number): Measurement[] {
  const { sent, faults, faultsKnown, fuzzed, without } = found;
  const of = (what: string, count: number, note: string) =>
    measured("fuzz")(`${title}: ${what}`, fuzzed.size === 0 ? null : count, { most: 0 }, note);
  const left = Object.entries(without).map(([runtime, why]) => `, not on ${runtime}: ${why}`).join("");
  const [fault] = faults;
  const grown = [...fuzzed].flatMap(([runtime, { growth }]) => growth === null ? [] : [{ runtime, ...growth }])
    .toSorted((a, b) => b.bytesPerRequest - a.bytesPerRequest);
  const open = [...fuzzed].flatMap(([runtime, { descriptorsLeft: count }]) =>
    count === null ? [] : [{ runtime, count }]
  );
  const growths = grown.map(({ runtime, bytesPerRequest }) => `${runtime} ${Math.round(bytesPerRequest)} B`).join(", ");
  return [
    of(
      "faults",
      faults.length,
      (fault === undefined ? "" : `${fault.runtime}, ${fault.mutation}: ${fault.what}; `) +
        `${counted(sent, "request")} to ${counted(fuzzed.size, "server")}, seed ${seed}` +
        (faultsKnown.size === 0 ? "" : `, known of the framework: ${[...faultsKnown].join(", ")}`) + left,
    ),
    ...(grown.length === 0 ? [] : [of(
      "servers whose memory goes on growing",
      grown.filter(({ leaks }) => leaks).length,
      `${growths} a request in the last half; a leak is more than ${MOST_BYTES_A_REQUEST} B and ${
        LEAST_GROWTH_BYTES / 2 ** 20
      } MiB`,
    )]),
    ...(open.length === 0 ? [] : [of(
      "descriptors left open",
      Math.max(0, ...open.map(({ count }) => count)),
      open.map(({ runtime, count }) => `${runtime} ${count}`).join(", "),
    )]),
  ];
}
