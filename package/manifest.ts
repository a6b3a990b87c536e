/** What of the checkout's package.json is looked at. */
export interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  /** Libraries by the names that modules of the driver import them under; a package has them bundled. */
  readonly imports: Readonly<Record<string, string>>;
  readonly repository: { readonly type: string; readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
  /** Packages that only some suites and pictures need: whoever measures or draws those installs them beside. */
  readonly leftOut: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** Runtimes that servers run on, from the least version the gate's own stands for. None is forced on a library's user. */
const RUNTIMES: Readonly<Record<string, string>> = { node: ">=24", deno: ">=2.9", bun: ">=1.4" };

/** The folder of bundled libraries in a package, from its root. */
export const BUNDLED = "package/bundled";

/** The file of a library in a package, by the name that modules import it under: `#plot`. */
const bundledFile = (name: string): string => `./${BUNDLED}/${name.slice(1)}.js`;

/** Belongs to a checkout alone. */
const LEFT_OUT = ["leftOut", "private", "devDependencies", "optionalDependencies", "allowScripts"];

/** Modules that act when they are loaded: programs of their own, and what these load by name. */
const SIDE_EFFECTS = [
  ...["./package/*.js", "./bench/main.js", "./bench/older-node*.js", "./bench/**/*-main.js"],
  ...["./servers/**/*.js", "./stores/**/*.js", "./suites/**/*.js"],
];

/** A manifest whose addresses are those of the repository that makes the package: GitHub says it, the checkout a placeholder. */
export const addressed = <M extends object>(manifest: M, repository = process.env["GITHUB_REPOSITORY"]): M =>
  repository === undefined ? manifest : JSON.parse(JSON.stringify(manifest).replaceAll("OWNER/levelfield", repository));

/**
 * The package.json of the package: built files, the runtimes as parts one may install beside it, the versions the gate holds
 * it against, and the commit it was made of.
 */
export function packageManifest(manifest: Manifest, commit: string | undefined) {
  const { dependencies, devDependencies, exports, imports } = manifest;
  const kept = Object.entries(addressed(manifest)).filter(([name]) => !LEFT_OUT.includes(name));
  const leftOut = [...Object.keys(RUNTIMES), ...manifest.leftOut];
  const isBrought = (name: string) => !leftOut.includes(name) && !Object.values(imports).includes(name);
  return {
    ...Object.fromEntries(kept) as Pick<Manifest, "version" | "repository">,
    engines: { node: ">=20.12" },
    exports: {
      ...Object.fromEntries(
        Object.entries(exports).map(([name, path]) => [name, {
          types: path.replace(/\.ts$/, ".d.ts"),
          default: path.replace(/\.ts$/, ".js"),
        }]),
      ),
      "./package.json": "./package.json",
    },
    imports: Object.fromEntries(Object.keys(imports).map((name) => [name, bundledFile(name)])),
    sideEffects: SIDE_EFFECTS,
    bin: { levelfield: "package/levelfield.js" },
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => isBrought(name))),
    triedWith: Object.fromEntries(leftOut.map((name) => [name, dependencies[name] ?? devDependencies[name]!])),
    peerDependencies: RUNTIMES,
    peerDependenciesMeta: Object.fromEntries(Object.keys(RUNTIMES).map((name) => [name, { optional: true }])),
    publishConfig: { access: "public", provenance: true },
    ...(commit === undefined ? {} : { gitHead: commit }),
  };
}
