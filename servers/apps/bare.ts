import type { BareServer } from "../adapter.ts";
import type { OpenApp } from "../app.ts";

/** The runtime's server without router or framework: each request is answered with the health reply. */
export const open: OpenApp = async ({ runtime }) => {
  const { serve }: { serve: BareServer } = await import(`../bare/${runtime}.ts`);
  return { listen: serve };
};
