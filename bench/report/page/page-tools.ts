/** What every page with charts can do in a browser: read its data, copy a chart, copy its link, change its theme. */
import type { Chart } from "./charts.ts";
import { chartMarkdown, standaloneSvg } from "./chart-figure.ts";

/** An element of the page that is surely there. */
export const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** The data of the page, unpacked where they are packed. */
export async function readData<T>(): Promise<T> {
  const element = find("data");
  const text = element.textContent!;
  if (element.dataset["packed"] === undefined) return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
}

/** Tells assistive technology that a drawing is one picture with a name; its figures stand in its table. */
export function asPicture(drawing: Element): void {
  for (const part of drawing.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label");
  for (const svg of [drawing, ...drawing.querySelectorAll("svg")]) {
    if (svg.matches("svg[aria-label]")) svg.setAttribute("role", "img");
  }
}

/** Lets charts be copied, those shown when somebody asks. */
export function serveFigures(charts: () => readonly Pick<Chart, "id" | "title" | "note" | "table">[]): void {
  addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>("button[data-copy]");
    const chart = charts().find(({ id }) => id === button?.dataset["chart"]);
    if (button === null || chart === undefined) return;
    const drawing = button.closest("figure")!.querySelector<SVGSVGElement>(".drawing svg");
    const text = button.dataset["copy"] === "svg" && drawing !== null ? standaloneSvg(drawing) : chartMarkdown(chart);
    void copy(text, button);
  });
}

/** Lets the link be copied and the theme be changed. */
export function serveHead(): void {
  find("copy-link").addEventListener("click", () => copy(location.href, find("copy-link")));
  const themes = ["auto", "light", "dark"] as const;
  find("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const now = themes.findIndex((theme) => theme === (root.dataset["theme"] ?? "auto"));
    const next = themes[(now + 1) % themes.length]!;
    root.dataset["theme"] = next;
    find("theme").textContent = `Theme: ${next}`;
  });
}

/** Copies a text; where the browser does not let it, the text stands beside the button, selected. */
async function copy(text: string, button: HTMLElement): Promise<void> {
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  find("told").textContent = done ? "Copied." : "Not copied: the text is selected, copy it from there.";
  const said = document.createElement("span");
  said.className = "said";
  said.textContent = done ? " Copied" : "";
  if (!done) {
    const area = Object.assign(document.createElement("textarea"), { readOnly: true, value: text, rows: 3 });
    area.setAttribute("aria-label", "Text to copy");
    area.addEventListener("blur", () => said.remove());
    said.append(area);
  }
  button.after(said);
  if (done) setTimeout(() => said.remove(), 1_500);
  else said.querySelector("textarea")!.select();
}
