/** Drawings: the words of a mark next to the pointer, and copies of drawings. */
import { notice } from "./cells.ts";

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

/** Lets drawings be copied. */
export function serveCopies(): void {
  addEventListener("click", (event) => {
    const button = (event.target as HTMLElement).closest<HTMLElement>("button[data-copy]");
    const figure = button?.closest("figure");
    const drawings = [...figure?.querySelectorAll<SVGSVGElement>(".drawing svg") ?? []];
    const drawing = drawings.find((one) => one.checkVisibility()) ?? drawings[0];
    if (button && drawing) void copy(svgFile(drawing), button);
  });
}

/** A drawing as a file of its own, with the background and colours it has on the page. */
function svgFile(drawing: SVGSVGElement): string {
  const alone = drawing.cloneNode(true) as SVGSVGElement, probe = document.createElement("i");
  document.body.append(probe);
  alone.removeAttribute("class");
  alone.setAttribute("color", "var(--ink)");
  alone.style.background = "var(--page)";
  const text = new XMLSerializer().serializeToString(alone).replaceAll(/var\(--[\w-]+\)/g, (colour) => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return text;
}

/** Copies a text. If the browser forbids it, the text appears next to the button, selected. */
async function copy(text: string, button: HTMLElement): Promise<void> {
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  notice.textContent = done ? "Copied." : "Not copied: the text is selected, copy it from there.";
  if (done) return;
  const area = Object.assign(document.createElement("textarea"), { readOnly: true, value: text, rows: 3 });
  area.setAttribute("aria-label", "Text to copy");
  area.addEventListener("blur", () => area.remove());
  button.after(area);
  area.select();
}
