interface PluginBuilder {
  module(
    name: string,
    load: () => Promise<{ readonly exports: Record<string, unknown>; readonly loader: "object" }>,
  ): void;
}
declare const Bun: { plugin(plugin: { readonly name: string; setup(build: PluginBuilder): void }): void };

/** Makes files importable under names. */
export function nameModules(entries: readonly (readonly [name: string, file: string])[]): void {
  Bun.plugin({
    name: "levelfield",
    setup(build) {
      for (const [name, file] of entries) {
        build.module(name, async () => ({ exports: { ...await import(file) }, loader: "object" }));
      }
    },
  });
}
