/** amaro has no types of its own; this is the part used here. */
declare module "amaro" {
  const amaro: {
    transformSync(source: string, options: { readonly mode: "strip-only" }): { readonly code: string };
  };
  export default amaro;
}
