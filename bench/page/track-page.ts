import type { Track } from "../result/track.ts";
import { markup } from "./html.ts";
import { framedPage } from "./page-frame.ts";
import { styleFor } from "../report/style.ts";
import { trackLines } from "../report/track-text.ts";

/** Runs in a row as a page: what a terminal has. */
export function trackPage(tracks: readonly Track[]): string {
  const text = tracks.map((track) => trackLines(track, styleFor(false, {}), Infinity)).join("\n");
  return framedPage({
    title: "runs in a row",
    body: markup`<header><div class="wrap"><h1>Levelfield <span>runs in a row</span></h1></div></header>
<main class="wrap"><pre>${text}</pre></main>`,
  });
}
