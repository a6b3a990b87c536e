/** The script of a page of runs: it hides, shows and sorts what the page has, and keeps the choice in the link. */
import { notice, showChosen, shownRun } from "./cells.ts";
import { serveCopies, serveTips } from "./figures.ts";
import { choiceOf, filterForm, keepInLink, readLink, resetForm, setField } from "./form.ts";

function serveForm(): void {
  // Fields may lie outside the form they belong to.
  addEventListener("input", ({ target }) => {
    if ((target as HTMLInputElement).form !== filterForm) return;
    keepInLink();
    showChosen();
  });
  filterForm.addEventListener("reset", (event) => {
    event.preventDefault();
    resetForm();
    showChosen();
  });
  filterForm.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    readLink();
    showChosen();
    openLinked();
  });
}

function serveHeads(): void {
  addEventListener("click", ({ target }) => {
    const head = (target as HTMLElement).closest<HTMLElement>("[data-sort]");
    if (head === null) return;
    setField("sort", head.dataset["sort"]!);
    showChosen();
    notice.textContent = `Sorted: ${head.textContent}.`;
  });
  // By itself a browser leaves a head half behind the names, or half outside.
  addEventListener("focusin", ({ target }) => {
    (target as HTMLElement).closest(".cells [data-sort]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

function serveTheme(): void {
  const themes = ["auto", "light", "dark"] as const;
  const button = document.getElementById("theme")!;
  button.addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const now = themes.findIndex((theme) => theme === (dataset["theme"] ?? "auto"));
    const next = themes[(now + 1) % themes.length]!;
    dataset["theme"] = next;
    button.textContent = `Theme: ${next}`;
  });
}

function unfold(): void {
  for (const fold of shownRun().querySelectorAll<HTMLDetailsElement>("details.fold:not([open])")) {
    fold.open = true;
    addEventListener("afterprint", () => fold.open = false, { once: true });
  }
}

readLink();
serveForm();
serveHeads();
serveEvidence();
serveTips();
serveCopies();
serveTheme();
addEventListener("beforeprint", unfold);
showChosen();
openLinked();
document.documentElement.dataset["ready"] = "yes";

/** Opens the evidence of the cell that the link names: a popover that its button opens without scripts. */
function openLinked(): void {
  const name = choiceOf("cell");
  const button = name === ""
    ? null
    : shownRun().querySelector<HTMLButtonElement>(`button[data-cell="${CSS.escape(name)}"]`);
  const panel = button?.popoverTargetElement as HTMLElement | null | undefined;
  if (!panel || panel.matches(":popover-open")) return;
  button!.focus();
  panel.showPopover();
}

/** Keeps the open evidence in the page's link, from the click on: `toggle` would come a task later. */
function serveEvidence(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-cell]")) {
    const name = button.dataset["cell"]!;
    (button.popoverTargetElement as HTMLElement).addEventListener("beforetoggle", (event) => {
      if ((event as ToggleEvent).newState === "open") setField("cell", name);
      else if (choiceOf("cell") === name) setField("cell", "");
    });
  }
}
