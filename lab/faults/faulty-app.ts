/** A server with one fault, as an app of the project: `options.fault` names it. */
import { behaviourOf, listen } from "./behaviours.ts";

/** Opens the app. */
export function open({ options }: { readonly options: Readonly<Record<string, string | number>> }) {
  const behaviour = behaviourOf(String(options["fault"]));
  return {
    async listen({ port }: { readonly port: number }) {
      const { port: bound, close } = await listen(behaviour, port);
      return {
        url: `http://127.0.0.1:${bound}`,
        async close() {
          close();
          await behaviour.atEnd?.();
        },
      };
    },
    describe: () => ({ diskBytes: null, facts: {} }),
  };
}
