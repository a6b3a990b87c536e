/** The evidence of a cell: a popover that its button opens without scripts, and that a link opens here. */
import { shownRun } from "./cells.ts";
import { choiceOf, setField } from "./form.ts";

/** Opens the evidence of the cell that the link names. */
export function openLinked(): void {
  const name = choiceOf("cell");
  const button = name === ""
    ? null
    : shownRun().querySelector<HTMLButtonElement>(`button[data-cell="${CSS.escape(name)}"]`);
  const panel = button?.popoverTargetElement as HTMLElement | null | undefined;
  if (!panel || panel.matches(":popover-open")) return;
  button!.focus();
  panel.showPopover();
}

/** Keeps the open evidence in the page's link. */
export function serveEvidence(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-cell]")) {
    const name = button.dataset["cell"]!;
    (button.popoverTargetElement as HTMLElement).addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState === "open") setField("cell", name);
      else if (choiceOf("cell") === name) setField("cell", "");
    });
  }
}
