type Missing = null | undefined;

/** Fields of an object that are always there, and, as optional ones, those that may be missing. */
type Present<T> =
  & { [K in keyof T as string extends K ? K : Missing & T[K] extends never ? K : never]: NonNullable<T[K]> }
  & { [K in keyof T as string extends K ? never : Missing & T[K] extends never ? never : K]?: NonNullable<T[K]> };

/** Returns the fields of an object that are neither undefined nor null, in their order: `...present({ name, version })`. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Present<T>;

/** Returns a text, list or object; undefined if it is empty. */
export const unlessEmpty = <T extends object | string>(value: T): T | undefined =>
  (typeof value === "string" ? value : Object.keys(value)).length === 0 ? undefined : value;
