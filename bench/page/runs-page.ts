import { counted } from "../basics/units.ts";
import { machinesText } from "../report/machine-text.ts";
import { cellCount, type ListedRun, newestFirst, startedText, stateText, tookText } from "../report/listed-run.ts";
import { type Html, markup } from "./html.ts";
import { framedPage } from "./page-frame.ts";
import { type Field, scrollTable } from "./table-html.ts";
import type { Track } from "../result/track.ts";
import { styleFor } from "../report/style.ts";
import { trackLines } from "../report/track-text.ts";

/** The list of runs, the newest first. */
export function runsPage(runs: readonly ListedRun[]): string {
  const heads = ["run", "suite", "started", "what to take", "grade", "cells", "rounds", "machine", "state"];
  const body = runs.length === 0
    ? markup`<p>There is no run yet. Try: <code>bench all --quick</code></p>`
    : scrollTable("Runs", heads, newestFirst(runs).map(rowOf));
  return framedPage({
    title: "runs",
    body: markup`<header><div class="wrap"><h1>Levelfield <span>runs</span></h1></div></header><main class="wrap"><h2>${
      counted(runs.length, "run")
    }</h2>${body}</main>`,
  });
}

function rowOf(listed: ListedRun): Field[] {
  if ("fault" in listed) {
    return [listed.name, ...Array<string>(7).fill("–"), { text: listed.fault, level: "bad" }];
  }
  const { name, run, summary } = listed;
  const link: Html = markup`<a href="/${encodeURIComponent(name)}/">${name}</a>`;
  return [
    link,
    run.plan.suite.name,
    startedText(run),
    tookText(summary),
    run.grade.grade,
    String(cellCount(run)),
    String(run.plan.rounds),
    machinesText(run),
    { text: stateText(listed), level: summary.marks.length > 0 ? "bad" : run.state === "finished" ? "good" : "warn" },
  ];
}

/** Runs in order of time as a page: all that a terminal has. */
export function trackPage(tracks: readonly Track[]): string {
  const text = tracks.map((track) => trackLines(track, { style: styleFor(false, {}), columns: Infinity, all: true }))
    .join("\n");
  return framedPage({
    title: "runs in order of time",
    body: markup`<header><div class="wrap"><h1>Levelfield <span>runs in order of time</span></h1></div></header>
<main class="wrap"><pre>${text}</pre></main>`,
  });
}
