/** Tools of a page in a browser: read its data, copy a chart, show tooltips, copy its link, change its theme. */
import type { PageData } from "./page-data.ts";
import { chartMarkdown } from "./chart-figure.ts";
import type { Chart } from "./chart-look.ts";
import { drawnAt, type Picture, pictureFile } from "./drawn.ts";
import { markup } from "./html.ts";

/** An element of the page that is surely there. */
export const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** The data of the page, unpacked where they are packed. */
export async function readData(): Promise<PageData> {
  const element = find("data");
  const text = element.textContent!;
  if (element.dataset["packed"] === undefined) return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
}

/** Draws anew when the window has another width. */
export function onResize(isDrawn: () => boolean, draw: () => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => isDrawn() || draw(), 150);
  });
}

/** Lets charts be copied, those shown when somebody asks. */
export function serveFigures(charts: () => readonly Pick<Chart, "id" | "title" | "note" | "table">[]): void {
  addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>("button[data-copy]");
    const chart = charts().find(({ id }) => id === button?.dataset["chart"]);
    if (button === null || chart === undefined) return;
    const drawing = button.closest("figure")!.querySelector<SVGSVGElement>(".drawing svg");
    const asSvg = button.dataset["copy"] === "svg" && drawing !== null;
    const text = asSvg ? pictureFile(onPaper(drawing), isDark() ? "dark" : "light") : chartMarkdown(chart);
    void copy(text, button);
  });
}

function onPaper(drawing: SVGSVGElement): Picture {
  const { width, height } = drawing.viewBox.baseVal;
  const body = markup`<rect width="100%" height="100%" fill="var(--page)"/>${drawnAt(drawing)}`;
  return { width, height, label: drawing.getAttribute("aria-label") ?? "", body };
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Pixels around a mark of a drawing within which its words are shown. */
const NEAR = 24;

/** Shows the words of the mark of a drawing that is next to the pointer. */
export function serveTips(): void {
  const tip = document.createElement("p");
  tip.popover = "manual";
  tip.className = "termnote tip";
  document.body.append(tip);
  const show = ({ target, clientX: x, clientY: y }: PointerEvent) => {
    const drawing = (target as Element).closest<SVGElement>(".drawing svg");
    const mark = drawing === null ? null : nearest(drawing, x, y);
    if (mark === null) return void tip.togglePopover(false);
    tip.textContent = mark.dataset["tip"]!;
    tip.togglePopover(true);
    tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 14 : y + 18}px`;
  };
  addEventListener("pointermove", show);
  addEventListener("pointerdown", show);
  addEventListener("scroll", () => tip.togglePopover(false), { passive: true });
}

function nearest(drawing: SVGElement, x: number, y: number): SVGElement | null {
  // A browser would show titles a second time.
  for (const title of drawing.querySelectorAll("title")) {
    (title.parentElement as unknown as SVGElement).dataset["tip"] = title.textContent!;
    title.remove();
  }
  let found: SVGElement | null = null, least = NEAR;
  for (const mark of drawing.querySelectorAll<SVGElement>("[data-tip]")) {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    const distance = Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
    if (distance < least) [found, least] = [mark, distance];
  }
  return found;
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

/** Copies a text. If the browser forbids it, the text appears next to the button, selected. */
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
