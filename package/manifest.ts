/** What of the checkout's package.json is looked at. */
export interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  /** Packages that only some suites and pictures need: whoever measures or draws those installs them beside. */
  readonly leftOut: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** Runtimes that servers run on, from the least version the gate's own stands for. None is forced on a library's user. */
const RUNTIMES: Readonly<Record<string, string>> = { node: ">=24", deno: ">=2.9", bun: ">=1.4" };

/** Belongs to a checkout alone. */
const LEFT_OUT = ["leftOut", "private", "devDependencies", "optionalDependencies", "allowScripts"];

/**
 * The package.json of the package: built files, the runtimes and the load generators from npm as parts one may install
 * beside it, the runtimes' versions the gate holds it against, and the commit it was made of.
 */
export function packageManifest(manifest: Manifest, commit: string | undefined): Record<string, unknown> {
  const { dependencies, devDependencies, exports, optionalDependencies } = manifest;
  const kept = Object.entries(manifest).filter(([name]) => !LEFT_OUT.includes(name));
  const leftOut = [...Object.keys(RUNTIMES), ...manifest.leftOut];
  const beside = { ...RUNTIMES, ...optionalDependencies };
  return {
    ...Object.fromEntries(kept),
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
    bin: { levelfield: "package/levelfield.js", bench: "package/levelfield.js" },
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => !leftOut.includes(name))),
    triedWith: Object.fromEntries(leftOut.map((name) => [name, dependencies[name] ?? devDependencies[name]])),
    peerDependencies: beside,
    peerDependenciesMeta: Object.fromEntries(Object.keys(beside).map((name) => [name, { optional: true }])),
    ...(commit === undefined ? {} : { gitHead: commit }),
  };
}
