/** What is wrong with how a page looks, found by structure: these run in the page, and give a sentence for each fault. */

/** Texts of drawings that stand on each other, are cut off, or cannot be told from what is behind them. */
export function drawingFaults(): string[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  canvas.canvas.width = canvas.canvas.height = 1;
  const light = () => {
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const paint = (colour: string) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return light();
  };
  const contrastOf = (text: SVGTextElement) => {
    let behind: Element = text;
    while (/^rgba\(0, 0, 0, 0\)$|^transparent$/.test(getComputedStyle(behind).backgroundColor)) {
      behind = behind.parentElement ?? document.body;
    }
    const back = paint(getComputedStyle(behind).backgroundColor);
    const front = paint(getComputedStyle(text).fill);
    return (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
  };
  return [
    ...document.querySelectorAll<SVGSVGElement>("figure .drawing svg, #differences svg, .evidence:popover-open svg"),
  ].flatMap((svg) => {
    const name = svg.closest("figure")?.id ?? svg.closest("[id]")!.id;
    const room = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map((text) => ({
      text,
      words: text.textContent ?? "",
      box: text.getBoundingClientRect(),
    })).filter(({ words, box }) => words.trim() !== "" && box.width > 0);
    const cut = texts.filter(({ box }) =>
      box.left < room.left - 2 || box.right > room.right + 2 || box.top < room.top - 2 || box.bottom > room.bottom + 2
    ).map(({ words, box }) => `${name}: "${words}" is cut at ${Math.round(box.right - room.right)}`);
    const over = texts.flatMap((one, n) =>
      texts.slice(n + 1).filter(({ box }) =>
        Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > 2 &&
        Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 4
      ).map(({ words }) => `${name}: "${one.words}" and "${words}" stand on each other`)
    );
    const faint = texts.filter(({ text }) => contrastOf(text) < 4.5)
      .map(({ text, words }) => `${name}: "${words}" has a contrast of ${contrastOf(text).toFixed(1)}`);
    return [...cut, ...over, ...faint];
  });
}

/**
 * Texts of a part of a page, outside drawings, that stand on each other or are cut off, and a page that is wider than its
 * window.
 */
export function textFaults(part: string): string[] {
  const page = document.documentElement;
  const hides = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const seen: { words: string; of: Node; box: DOMRect }[] = [];
  const faults: string[] = page.scrollWidth > innerWidth ? [`the page is ${page.scrollWidth} px wide`] : [];
  const walker = document.createTreeWalker(document.querySelector(part)!, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement!;
    const words = node.textContent!.trim();
    if (words === "" || parent.closest("svg, script, style, noscript, select, textarea, .quiet, .skip") !== null) {
      continue;
    }
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    const frames: { box: DOMRect; scrolls: boolean }[] = [];
    for (let above: Element | null = parent; above !== null && above !== document.body; above = above.parentElement) {
      if (hides(above)) {
        frames.push({
          box: above.getBoundingClientRect(),
          scrolls: /auto|scroll/.test(getComputedStyle(above).overflowX),
        });
      }
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const outside = frames.find((frame) => box.left < frame.box.left - 1 || box.right > frame.box.right + 1);
      if (outside === undefined) {
        if (box.left < -1 || box.right > page.clientWidth + 1) {
          faults.push(`"${words.slice(0, 60)}" is cut by the window`);
        } else if (frames.every((frame) => box.top >= frame.box.top - 1 && box.bottom <= frame.box.bottom + 1)) {
          seen.push({ words, of: node, box });
        }
      } else if (!outside.scrolls || parent.closest("caption") !== null) {
        // What is said of a table is read without moving it.
        faults.push(`"${words.slice(0, 60)}" is cut`);
      }
    }
  }
  seen.sort((a, b) => a.box.top - b.box.top);
  seen.forEach((one, n) => {
    for (const other of seen.slice(n + 1)) {
      if (other.box.top >= one.box.bottom) break;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      if (one.of === other.of || wide <= 2 || high <= 0.4 * Math.min(one.box.height, other.box.height)) continue;
      faults.push(`"${one.words.slice(0, 40)}" and "${other.words.slice(0, 40)}" stand on each other`);
    }
  });
  return faults;
}
