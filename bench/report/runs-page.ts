import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { escapeHtml } from "./page/escape-html.ts";
import { ownFile } from "./page/own-file.ts";

/** A run in the list of runs: what its folder says, or why it cannot be read. */
export type ListedRun =
  | { readonly name: string; readonly run: RunRecord; readonly stamps: Summary["stamps"] }
  | { readonly name: string; readonly fault: string };

/** The list of runs, the newest first. */
export function runsPage(runs: readonly ListedRun[]): string {
  const rows = [...runs].reverse().map(rowOf).join("");
  const body = runs.length === 0
    ? "<p>There is no run yet. Try: <code>bench all --quick</code></p>"
    : `<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table class="rounds runs"><thead><tr>
<th scope="col">run</th><th scope="col">started</th><th scope="col">grade</th><th scope="col">cells</th>
<th scope="col">rounds</th><th scope="col">machine</th><th scope="col">state</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Levelfield: runs</title><link rel="icon" href="data:,"><style>${ownFile("style.css")}</style></head>
<body><header><div class="wrap"><h1>Levelfield <span>runs</span></h1></div></header><main class="wrap">
<h2>All runs</h2>${body}</main></body></html>
`;
}

function rowOf(listed: ListedRun): string {
  const link = `<a href="/${encodeURIComponent(listed.name)}/">${escapeHtml(listed.name)}</a>`;
  if ("fault" in listed) {
    return `<tr><th scope="row">${escapeHtml(listed.name)}</th><td colspan="6" class="bad">${
      escapeHtml(listed.fault)
    }</td></tr>`;
  }
  const { run, stamps } = listed;
  const cells = run.plan.subjects.filter(({ label }) => label !== "aa").length;
  const state = stamps.length > 0 ? stamps.map(({ message }) => message).join("; ") : run.state;
  const level = stamps.length > 0 ? "bad" : run.state === "finished" ? "good" : "warn";
  return `<tr><th scope="row">${link}</th><td>${
    escapeHtml(run.started_at.slice(0, 16).replace("T", " "))
  }</td><td>${run.grade.grade}</td>` +
    `<td>${cells}</td><td>${run.plan.rounds}</td><td>${escapeHtml(run.machine.cpu_model)}</td><td class="${level}">${
      escapeHtml(state)
    }</td></tr>`;
}
