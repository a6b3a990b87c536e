import { z } from "zod";

type Field<T, K extends keyof T> = Record<never, never> extends Pick<T, K>
  ? z.ZodExactOptional<z.ZodType<Exclude<T[K], undefined>>>
  : z.ZodType<T[K]>;

/** Returns the schema of a type of this project. It compiles only with a field for each of the type's, optional as they are. */
export const objectOf = <T extends object>(fields: { readonly [K in keyof T]-?: Field<T, K> }): z.ZodType<T> =>
  z.strictObject(fields as z.ZodRawShape) as unknown as z.ZodType<T>;
