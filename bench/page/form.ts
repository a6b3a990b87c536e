/** The form of a page and its link, either from the other. Runs in the browser only. */
import type { PlanAxis } from "../record/cell-schema.ts";
import type { PageChoices } from "./view.ts";

type Field = HTMLInputElement & Partial<Pick<HTMLSelectElement, "options" | "selectedIndex">>;

const fieldsOf = (form: HTMLFormElement) =>
  Map.groupBy([...form.elements as unknown as Iterable<Field>].filter(({ name }) => name), ({ name }) => name);

const isBox = ({ type }: Field) => type === "checkbox";
const initialOf = ({ options, defaultValue }: Field) => options?.[0]?.value ?? defaultValue;

/** The fields of a form that differ from its initial state. */
export function readForm(form: HTMLFormElement): URLSearchParams {
  const said = new URLSearchParams();
  for (const [name, fields] of fieldsOf(form)) {
    const now = fields.filter((field) => !isBox(field) || field.checked).map(({ value }) => value).join(",");
    const initial = fields.filter((field) => !isBox(field) || field.defaultChecked)
      .map((field) => isBox(field) ? field.value : initialOf(field)).join(",");
    if (now !== initial) said.set(name, now);
  }
  return said;
}

/** Writes into a form what it is to say; what is not said is as at first. */
export function fillForm(form: HTMLFormElement, said: URLSearchParams): void {
  for (const [name, fields] of fieldsOf(form)) {
    const value = said.get(name);
    for (const field of fields) {
      if (isBox(field)) field.checked = value?.split(",").includes(field.value) ?? field.defaultChecked;
      else field.value = value ?? initialOf(field);
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    }
  }
}

/** The field of a form. */
export const fieldOf = (form: HTMLFormElement, name: string): Field => form.elements.namedItem(name) as Field;

/** Leaves out of the form what a run has no cell of: several runs may have different values. */
export function showValuesOf(
  form: HTMLFormElement,
  { filters }: PageChoices,
  run: number,
  axes: readonly PlanAxis[],
): void {
  for (const option of fieldOf(form, "baseline").querySelectorAll("option")) {
    option.hidden = option.dataset["run"] !== undefined && option.dataset["run"] !== String(run);
  }
  filters.forEach(({ axis, values }, n) => {
    const ofAxis = axes.find(({ name }) => name === axis)?.values ?? [];
    const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[name=axis${n + 1}]`)];
    for (const box of boxes) {
      box.closest("label")!.hidden = !ofAxis.some(({ value }) => value === values[Number(box.value) - 1]!.value);
    }
    boxes[0]!.closest("fieldset")!.hidden = ofAxis.length < 2;
  });
}
