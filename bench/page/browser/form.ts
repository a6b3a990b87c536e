/** Converts between the form of a page and its link. */

type Field = HTMLInputElement & Partial<Pick<HTMLSelectElement, "options" | "selectedIndex">>;

/** The form that selects the cells to show. */
export const filterForm = document.getElementById("filters") as HTMLFormElement;

/** The fields of the form by their names, wherever they stand. */
export const fieldsByName = (): Map<string, Field[]> =>
  Map.groupBy([...filterForm.elements as unknown as Iterable<Field>].filter(({ name }) => name), ({ name }) => name);

const isBox = ({ type }: Field) => type === "checkbox";
const initialOf = ({ options, defaultValue }: Field) => options?.[0]?.value ?? defaultValue;

/** The fields of the form that differ from its initial state. */
function readForm(): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, fields] of fieldsByName()) {
    const now = fields.filter((field) => !isBox(field) || field.checked).map(({ value }) => value).join(",");
    const initial = fields.filter((field) => !isBox(field) || field.defaultChecked)
      .map((field) => isBox(field) ? field.value : initialOf(field)).join(",");
    if (now !== initial) params.set(name, now);
  }
  return params;
}

/** Fills the form from a link; fields that the link does not name get their defaults. */
function fillForm(params: URLSearchParams): void {
  for (const [name, fields] of fieldsByName()) {
    const value = params.get(name);
    for (const field of fields) {
      if (isBox(field)) field.checked = value?.split(",").includes(field.value) ?? field.defaultChecked;
      else field.value = value ?? initialOf(field);
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    }
  }
}

/** The value of a field that the form has once; empty without the field. */
export const choiceOf = (name: string): string => fieldsByName().get(name)?.[0]?.value ?? "";

/** Sets a field, and the link with it. */
export function setField(name: string, value: string): void {
  fieldsByName().get(name)![0]!.value = value;
  keepInLink();
}

/** Writes the form's state into the page's link. */
export function keepInLink(): void {
  const hash = readForm().toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
}

/** Fills the form from the page's link. */
export const readLink = (): void => fillForm(new URLSearchParams(location.hash.slice(1)));

/** Resets all fields but the run and the order of rows. */
export function resetForm(): void {
  fillForm(new URLSearchParams([...readForm()].filter(([name]) => ["run", "sort"].includes(name))));
  keepInLink();
}
