import { accessSync, constants, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";

/** The first file of that name on PATH that may be run. */
export function onPath(program: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(":")) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return realpathSync(file);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

const COREUTILS =
  "basename cat chmod chown cp cut date dirname env head id ln ls mkdir mktemp mv readlink realpath rm rmdir sleep sort stat tail touch tr uname wc";

/** Programs each package of nixpkgs is expected to bring, of those the flake uses. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  bashInteractive: ["bash", "sh"],
  bun: ["bun"],
  coreutils: COREUTILS.split(" "),
  deno: ["deno"],
  gitMinimal: ["git"],
  nghttp2: ["h2load"],
  nodejs_26: ["node", "npm"],
  postgresql: ["initdb", "postgres", "psql"],
  redis: ["redis-server"],
  sqlite: ["sqlite3"],
  tini: ["tini"],
  "util-linux": ["setpriv", "taskset"],
  wrk: ["wrk"],
};

/**
 * Makes a flake that can stand in for nixpkgs where nixpkgs cannot be fetched: its packages are links to this machine's
 * programs, its builders are a few lines each. It proves evaluation and wiring, not that nixpkgs builds.
 * @returns names of programs this machine has not got; their links lead nowhere
 */
export function writeStubNixpkgs(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const missing: string[] = [];
  const pinned = (name: string) => join(PROJECT_ROOT, "node_modules", ".bin", name);
  const packages = Object.fromEntries(
    Object.entries(PROGRAMS).map(([name, programs]) => [
      name,
      Object.fromEntries(programs.map((program) => {
        const file = ["node", "deno", "bun"].includes(program) && existsSync(pinned(program))
          ? realpathSync(pinned(program))
          : onPath(program);
        if (file === undefined) missing.push(program);
        return [program, file ?? `/nonexistent/${program}`];
      })),
    ]),
  );
  const certificates = [process.env["NODE_EXTRA_CA_CERTS"], "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"]
    .find((file) => file !== undefined && existsSync(file)) ?? "/nonexistent/ca-bundle.crt";
  const system = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-${process.platform}`;
  const host = { system, packages, certificates, bash: onPath("bash"), shellcheck: onPath("shellcheck") ?? "" };
  writeFileSync(join(folder, "host.json"), JSON.stringify(host, null, 2));
  writeFileSync(join(folder, "flake.nix"), STUB);
  return missing;
}

const STUB = `{
  description = "nixpkgs' names over one machine's own programs, for tests";
  outputs = { self }:
    let
      host = builtins.fromJSON (builtins.readFile ./host.json);
      inherit (host) system;
      everything = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
      lib = {
        genAttrs = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
        optionals = condition: list: if condition then list else [ ];
        optionalAttrs = condition: set: if condition then set else { };
        fakeHash = "";
        getExe = one: "\${one}/bin/\${one.name}";
        licenses.mit.spdxId = "MIT";
        makeBinPath = list: builtins.concatStringsSep ":" (map (one: "\${one}/bin") list);
      };
      # Ends with exit 0: some versions of Nix kill a builder that ends by itself.
      build = name: env: script:
        derivation (removeAttrs env [ "meta" ] // {
          inherit name system;
          outputs = [ "out" ];
          builder = host.bash;
          args = [ "-c" ''
            set -euo pipefail
            inputs=
            for input in ''\${nativeBuildInputs:-}; do inputs=$inputs$input/bin:; done
            export PATH=$inputs\${everything}
            cd "$TMPDIR"
            \${script}
            exit 0
          '' ];
        }) // { meta = env.meta or { }; };
      links = name: programs: build name { } (
        "mkdir -p $out/bin\\n" + builtins.concatStringsSep "\\n"
          (map (program: "ln -s \${programs.\${program}} $out/bin/\${program}") (builtins.attrNames programs)));
    in
    {
      inherit lib;
      legacyPackages.\${system} = builtins.mapAttrs links host.packages // {
        stdenv.hostPlatform.isLinux = builtins.match ".*-linux" system != null;
        runCommand = build;
        # Evaluated, never built.
        buildNpmPackage = make: let made = build final.pname { inherit (final) meta; } "exit 1"; final = make final; in made;
        fetchFromGitHub = { repo, ... }: build repo { } "exit 1";
        makeWrapper = build "makeWrapper" { } "mkdir $out";
        cacert = build "cacert" { } ''
          mkdir -p $out/etc/ssl/certs
          ln -s \${host.certificates} $out/etc/ssl/certs/ca-bundle.crt
        '';
        mkShell = { packages, ... }@env: build env.name (removeAttrs env [ "packages" ] // {
          PATH = "\${lib.makeBinPath packages}:\${everything}";
        }) "echo > $out";
        writeShellApplication = { name, text, runtimeInputs ? [ ], meta ? { } }: build name {
          inherit meta;
          passAsFile = [ "script" ];
          script = ''
            #!\${host.bash}
            set -o errexit -o nounset -o pipefail
            export PATH="\${lib.makeBinPath runtimeInputs}:$PATH"
            \${text}
          '';
        } ''
          mkdir -p $out/bin
          cp $scriptPath $out/bin/\${name}
          chmod +x $out/bin/\${name}
          if [ -n "\${host.shellcheck}" ]; then \${host.shellcheck} $out/bin/\${name}; else bash -n $out/bin/\${name}; fi
        '';
        # Describes the image instead of making it.
        dockerTools.streamLayeredImage = image: build image.name { description = builtins.toJSON image; } ''
          printf '#!%s\\ncat <<"END"\\n%s\\nEND\\n' \${host.bash} "$description" > $out
          chmod +x $out
        '';
      };
    };
}
`;
