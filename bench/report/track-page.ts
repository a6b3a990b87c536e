import type { Track } from "../result/track.ts";
import { environmentLines } from "./comparison-table.ts";
import { type Html, markup } from "./page/html.ts";
import { framedPage } from "./page/page-frame.ts";
import { scrollTable } from "./page/table-html.ts";
import { BARS_NOTE, followedCells, seriesOf, stepTexts, trackSentences } from "./track-text.ts";

/** Runs in a row as a page. */
export function trackPage(tracks: readonly Track[]): string {
  const section = (track: Track): Html => {
    const runs = track.runs.map(({ run, started_at, changes }, n) => [
      `${n + 1}: ${run}`,
      started_at.slice(0, 16).replace("T", " "),
      environmentLines(changes).join("; "),
    ]);
    const cells = followedCells(track).flatMap((cell) =>
      seriesOf(cell, track).map(({ key, name, bars, newest, oldest }) => [
        ...[cell.cell, name, bars, newest, oldest],
        key === "requests_per_second" ? stepTexts(cell).join("; ") : "",
      ])
    );
    return markup`<h2>${track.suite}</h2>${trackSentences(track).map((text) => markup`<p>${text}</p>`)}${
      scrollTable("Cells over runs", ["cell", "figure", "runs", "newest", "oldest", "proven"], cells)
    }<p>${BARS_NOTE}</p>${scrollTable("Runs", ["run", "started", "changed since the one before"], runs)}`;
  };
  return framedPage({
    title: "runs in a row",
    body:
      markup`<header><div class="wrap"><h1>Levelfield <span>runs in a row</span></h1></div></header><main class="wrap">${
        tracks.map(section)
      }</main>`,
  });
}
