/** A server with one fault built in, as an app of our own servers: what `options.fault` names. */
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
