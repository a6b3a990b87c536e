import { createRequire } from "node:module";

/** Builds that check and warn. Vue's have no word for it: `.cjs.js` beside `.cjs.prod.js`, but for a part with one build. */
const DEVELOPMENT = /development|[/.]dev\.|^@?vue\/(?!compiler-ssr).*\.cjs\.js$/;

/**
 * Files of packages this process runs, from below node_modules: those its imports were resolved to, and of modules in
 * CommonJS those they went on to, which is where a build is chosen.
 *
 * @param resolved addresses of what was imported
 */
export function loadedFiles(resolved: readonly string[]): string[] {
  const { cache } = createRequire(import.meta.url);
  const below = (path: string) => path.split("/node_modules/").at(-1)!;
  const files = resolved.map(below);
  const packages = new Set(files.map((file) => file.split("/")[0]!));
  // Node lists modules whose exports it only read.
  const required = Object.values(cache).flatMap((module) => module?.loaded ? [below(module.filename)] : [])
    .filter((file) => packages.has(file.split("/")[0]!.replace(/^@/, "")) && /\/cjs\/|\.cjs\./.test(file));
  return [...new Set([...files, ...required])].sort();
}

/** Returns the files that are development builds. */
export const developmentBuilds = (files: readonly string[]): string[] => files.filter((file) => DEVELOPMENT.test(file));
