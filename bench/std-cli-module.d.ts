/** The part of @std/cli that is used here; the module itself comes from JSR and may be out of reach. */
declare module "@std/cli/parse-args" {
  export function parseArgs(
    args: string[],
    options: {
      string: string[];
      boolean: string[];
      collect: string[];
      alias: Record<string, string>;
      "--"?: boolean;
    },
  ): { _: (string | number)[] } & Record<string, unknown>;
}
