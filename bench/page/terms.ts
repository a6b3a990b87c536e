/** The meaning of the page's words, each in at most two lines. */
import { type Content, type Html, markup } from "./html.ts";

const TERMS = {
  together:
    "Servers that shared one core moment by moment, each under its own load. What disturbs hits all alike, so their CPU " +
    "time for a request can be compared even on a restless machine.",
  interval:
    "Where the true ratio lies: all intervals of one question hold together with 95 % confidence. A filled mark is proven " +
    "faster or slower, a hollow one is not.",
  aa:
    "One cell measured twice under two labels. What differs between them is noise, so no smaller difference is believed " +
    "anywhere in this run (delta).",
  bound:
    "What limited a cell: server, as it should be; generator or network, then its rate is a lower bound (“≥”) and " +
    "never ranked; neither, then something else was waited for.",
  grade:
    "How far figures of this machine stand by themselves: dedicated, shared with others, or advisory, where processes could " +
    "not be pinned to cores.",
  service: "Time a request takes while the server is under full load. It is no waiting time at an ordinary rate.",
  ceiling:
    "What the load generator reaches against a server that does nothing. A rate near it says little about the server.",
} as const;

type TermKey = keyof typeof TERMS;

/** A word that explains itself when it is pressed. */
export function term(key: TermKey, text: Content): Html {
  return markup`<button type="button" class="term" popovertarget="term-${key}">${text}</button>`;
}

/** The explanations that {@link term} opens. */
export function termNotes(): Html {
  return markup`${
    Object.entries(TERMS).map(([key, text]) => markup`<p popover id="term-${key}" class="termnote">${text}</p>`)
  }`;
}
