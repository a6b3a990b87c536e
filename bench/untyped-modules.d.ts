/** deno-std has no types on npm; this is the part used here. */
declare module "@std/cli/cli/parse_args.js" {
  /** See https://jsr.io/@std/cli/doc/parse-args. */
  export function parseArgs<const S extends string = never, const B extends string = never>(
    args: string[],
    options: {
      /** Options with a text; an empty one where the command line has no value. `_` keeps words that look like numbers. */
      readonly string?: readonly S[];
      readonly boolean?: readonly B[];
      readonly default?: Readonly<Partial<Record<S, string>>>;
      /** Gets each option that is not declared and each word, which is kept unless false is returned. */
      readonly unknown?: (arg: string, key?: string, value?: unknown) => boolean;
    },
  ): { readonly _: readonly (string | number)[] } & Readonly<Partial<Record<S, string>> & Record<B, boolean>>;
}

/** amaro has no types of its own; this is the part used here. */
declare module "amaro" {
  const amaro: {
    transformSync(source: string, options: { readonly mode: "strip-only" }): { readonly code: string };
  };
  export default amaro;
}
