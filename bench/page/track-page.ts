import { markup } from "./html.ts";
import { framedPage } from "./page-frame.ts";

/** Runs or gates in order of time as a page: all that a terminal has. */
export const trackPage = (text: string): string =>
  framedPage({
    title: "runs in order of time",
    body: markup`<header><div class="wrap"><h1>Levelfield <span>runs in order of time</span></h1></div></header>
<main class="wrap"><pre>${text}</pre></main>`,
  });
