import { styleFor } from "../report/style.ts";
import { trackLines } from "../report/track-text.ts";
import type { Track } from "../result/track.ts";
import { markup } from "./html.ts";
import { framedPage } from "./page-frame.ts";

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
