import { AA } from "../core/cell.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { cpuText } from "./cpu-text.ts";
import { escapeHtml } from "./page/escape-html.ts";
import { ownFile } from "./page/own-file.ts";
import { type Field, scrollTable } from "./page/table-html.ts";

/** A run in the list of runs: what its folder says, or why it cannot be read. */
export type ListedRun =
  | { readonly name: string; readonly run: RunRecord; readonly stamps: Summary["stamps"] }
  | { readonly name: string; readonly fault: string };

/** The list of runs, the newest first. */
export function runsPage(runs: readonly ListedRun[]): string {
  const heads = ["run", "suite", "started", "grade", "cells", "rounds", "machine", "state"];
  const body = runs.length === 0
    ? "<p>There is no run yet. Try: <code>bench all --quick</code></p>"
    : scrollTable("Runs", heads, runs.toReversed().map(rowOf));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Levelfield: runs</title><link rel="icon" href="data:,"><style>${ownFile("style.css")}</style></head>
<body><header><div class="wrap"><h1>Levelfield <span>runs</span></h1></div></header><main class="wrap">
<h2>All runs</h2>${body}</main></body></html>
`;
}

function rowOf(listed: ListedRun): Field[] {
  if ("fault" in listed) {
    return [listed.name, ...Array<string>(6).fill("–"), { text: listed.fault, level: "bad" }];
  }
  const { name, run, stamps } = listed;
  const { suite, cells, rounds } = run.plan;
  return [
    { html: `<a href="/${encodeURIComponent(name)}/">${escapeHtml(name)}</a>` },
    suite.name,
    run.started_at.slice(0, 16).replace("T", " "),
    run.grade.grade,
    String(cells.filter(({ label }) => label !== AA).length),
    String(rounds),
    cpuText(run.machine),
    stamps.length > 0
      ? { text: stamps.map(({ message }) => message).join("; "), level: "bad" }
      : { text: run.state, level: run.state === "finished" ? "good" : "warn" },
  ];
}
