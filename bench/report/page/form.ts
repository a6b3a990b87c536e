/** The form of a page and its view, either from the other, so that a link and the boxes always agree. */
import type { PlanAxis } from "../../record/cell-schema.ts";
import { metricOf } from "../metrics.ts";
import type { Choices, View } from "./view.ts";

/** Limits of the form: name of the input, and what one of its units is in the view's. */
const LIMITS = { memory: 1_048_576, startup: 1, p99: 1_000 } as const;

/** Leaves out of the form what the run that is shown has no cell of: several runs may have unlike values. */
export function showOwnValues(form: HTMLFormElement, { filters }: Choices, axes: readonly PlanAxis[]): void {
  filters.forEach(({ axis, values }, n) => {
    const own = axes.find(({ name }) => name === axis)?.values ?? [];
    const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[name=axis${n}]`)];
    for (const box of boxes) {
      box.closest("label")!.hidden = !own.some(({ value }) => value === values[Number(box.value)]!.value);
    }
    const group = boxes[0]?.closest("fieldset");
    if (group !== null && group !== undefined) group.hidden = own.length < 2;
  });
}

/** Writes a view into the form. */
export function fillForm(form: HTMLFormElement, view: View): void {
  const { needs } = view;
  const inputs = form.querySelectorAll<HTMLInputElement>("input");
  for (const input of inputs) {
    const [, group, place] = /^(axis|trait)(\d+)$/.exec(input.name) ?? [];
    if (group !== undefined) {
      const own = (group === "axis" ? view.chosen : needs.traits)[Number(place)];
      input.checked = own?.includes(Number(input.value)) ?? true;
    } else if (input.name === "caveats") input.checked = needs.noCaveat;
    else if (input.name === "published") input.checked = view.published;
    else {
      const limit = { memory: needs.memoryBytes, startup: needs.startupMs, p99: needs.p99Us }[input.name] ?? null;
      const unit = LIMITS[input.name as keyof typeof LIMITS];
      // What somebody is typing is left as it is.
      if (input !== document.activeElement) input.value = limit === null ? "" : String(limit / unit);
    }
  }
  for (const select of form.querySelectorAll("select")) {
    if (select.name === "baseline") {
      for (const option of select.options) {
        option.hidden = option.dataset["run"] !== undefined && option.dataset["run"] !== String(view.run);
      }
      select.value = view.baseline ?? "";
    } else select.value = select.name === "run" ? String(view.run) : view.metric;
  }
}

/** Reads the form; a group with every box checked is no filter. */
export function readForm(form: HTMLFormElement, view: View, { filters, traits }: Choices): View {
  const group = (name: string): number[] | null => {
    const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)];
    const checked = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    return checked.length === boxes.length ? null : checked;
  };
  const select = (name: string) => form.querySelector<HTMLSelectElement>(`select[name=${name}]`)?.value ?? null;
  const checked = (name: string) => form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.checked ?? false;
  const limit = (name: keyof typeof LIMITS) => {
    const number = form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.valueAsNumber ?? Number.NaN;
    return number > 0 ? number * LIMITS[name] : null;
  };
  return {
    ...view,
    run: Number(select("run") ?? 0),
    metric: metricOf(select("metric")).key,
    baseline: select("baseline") || null,
    published: checked("published"),
    chosen: filters.map((_, n) => group(`axis${n}`)),
    needs: {
      memoryBytes: limit("memory"),
      startupMs: limit("startup"),
      p99Us: limit("p99"),
      noCaveat: checked("caveats"),
      traits: traits.map((_, n) => group(`trait${n}`)),
    },
  };
}
