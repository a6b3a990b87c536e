/** A document just large enough to draw charts on: a whole one would bring twenty packages, and no layout is needed. */
const SVG = "http://www.w3.org/2000/svg";

interface PaperText {
  readonly nodeType: 3;
  readonly nodeValue: string;
}

const textOf = (text: string): PaperText => ({ nodeType: 3, nodeValue: text });

class PaperElement {
  readonly nodeType = 1;
  readonly namespaceURI = SVG;
  readonly ownerDocument: object;
  readonly tagName: string;
  childNodes: (PaperElement | PaperText)[] = [];
  readonly #attributes = new Map<string, string>();

  constructor(document: object, name: string) {
    this.ownerDocument = document;
    this.tagName = name;
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get children() {
    return this.childNodes.filter((child) => child instanceof PaperElement);
  }
  set textContent(text: string) {
    this.childNodes = [textOf(text)];
  }
  appendChild<T extends PaperElement | PaperText>(child: T): T {
    return this.insertBefore(child, null);
  }
  insertBefore<T extends PaperElement | PaperText>(child: T, next: PaperElement | PaperText | null): T {
    const place = next === null ? -1 : this.childNodes.indexOf(next);
    this.childNodes.splice(place < 0 ? this.childNodes.length : place, 0, child);
    return child;
  }
  removeChild(child: PaperElement | PaperText): void {
    this.childNodes = this.childNodes.filter((other) => other !== child);
  }
  getAttributeNames(): string[] {
    return [...this.#attributes.keys()];
  }
  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }
  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }
  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }
  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }
}

/** The document that charts are drawn on. */
export const PAPER = {
  createElement: (name: string) => new PaperElement(PAPER, name),
  createElementNS: (_space: string, name: string) => new PaperElement(PAPER, name),
  createTextNode: (text: string) => textOf(text),
  get documentElement() {
    return new PaperElement(PAPER, "svg");
  },
};
