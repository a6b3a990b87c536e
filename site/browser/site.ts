/** The script of the site's pages: the theme a reader chose, and the search. Without it all is there but these two. */
declare const SEARCH_OPTIONS: object;

(() => {
  const THEMES = ["auto", "light", "dark"] as const;
  const KEY = "levelfield-theme";
  const root = document.documentElement;

  /** Storage may be forbidden: then a choice holds for the page alone. */
  const stored = (value?: string): string | null => {
    try {
      if (value !== undefined) localStorage.setItem(KEY, value);
      return localStorage.getItem(KEY);
    } catch {
      return value ?? null;
    }
  };
  const setTheme = (theme: string) => root.dataset["theme"] = theme;
  // Before anything is drawn.
  setTheme(stored() ?? "auto");

  interface Found {
    readonly title: string;
    readonly heading: string;
    readonly at: string;
  }
  interface Index {
    search(text: string): readonly Found[];
  }

  const assets = new URL(".", (document.currentScript as HTMLScriptElement).src).href;

  /** Loads the index when somebody first searches. */
  let loading: Promise<Index> | undefined;
  async function loadIndex(): Promise<Index> {
    const [{ default: MiniSearch }, reply] = await Promise.all([
      import(`${assets}minisearch.js`) as Promise<{
        default: { loadJSON(json: string, options: object): Index };
      }>,
      fetch(`${assets}search.json`),
    ]);
    return MiniSearch.loadJSON(await reply.text(), SEARCH_OPTIONS);
  }

  const MOST = 8;

  function show(box: HTMLElement, found: readonly Found[]): void {
    const head = document.createElement("p");
    head.setAttribute("role", "status");
    head.textContent = found.length === 0 ? "Nothing found" : `${found.length} found`;
    const list = document.createElement("ul");
    for (const { title, heading, at } of found.slice(0, MOST)) {
      const link = document.createElement("a"), item = document.createElement("li");
      link.href = new URL(`../${at}`, assets).href;
      link.textContent = heading === "" ? title : `${title}: ${heading}`;
      item.append(link);
      list.append(item);
    }
    box.replaceChildren(head, list);
    box.hidden = false;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const theme = document.getElementById("theme")!;
    const name = () => theme.textContent = `Theme: ${root.dataset["theme"]}`;
    name();
    theme.addEventListener("click", () => {
      const now = THEMES.findIndex((one) => one === root.dataset["theme"]);
      const next = THEMES[(now + 1) % THEMES.length]!;
      setTheme(next);
      stored(next);
      name();
    });

    // Folded on a narrow page.
    if (matchMedia("(min-width: 1000px)").matches) {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>(".beside details")) fold.open = true;
    }

    const field = document.getElementById("search") as HTMLInputElement, box = document.getElementById("found")!;
    field.addEventListener("focus", () => loading ??= loadIndex());
    field.addEventListener("input", async () => {
      const text = field.value.trim();
      if (text === "") return void (box.hidden = true);
      const index = await (loading ??= loadIndex());
      // Another letter may have come meanwhile.
      if (field.value.trim() === text) show(box, index.search(text));
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") box.querySelector("a")?.click();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") box.hidden = true;
      if (event.key === "/" && document.activeElement === document.body) {
        event.preventDefault();
        field.focus();
      }
    });
    root.dataset["ready"] = "";
  });
})();
