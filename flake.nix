{
  description = "Levelfield: which runtime and which store serves your app fastest on this machine, and how sure is that?";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;

      # Everything this flake takes from nixpkgs. Nothing else can be reached from here: names outside the list do not
      # exist for the files below, so the list cannot lag behind them.
      names = [
        "bashInteractive"
        "buildNpmPackage"
        "bun"
        "cacert"
        "coreutils"
        "deno"
        "dockerTools"
        "fetchFromGitHub"
        "gitMinimal"
        "makeWrapper"
        "mkShell"
        "nghttp2"
        "nodejs_26"
        "openssl"
        "postgresql"
        "redis"
        "runCommand"
        "sqlite"
        "stdenv"
        "tini"
        "util-linux"
        "writeShellApplication"
        "wrk"
      ];

      # A nixpkgs that has given up a platform must not break the others.
      systems = builtins.filter (system: nixpkgs.legacyPackages ? ${system}) [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];

      partsFor =
        system:
        let
          parts = lib.genAttrs names (name: nixpkgs.legacyPackages.${system}.${name}) // {
            inherit lib;
            inherit (parts.stdenv.hostPlatform) isLinux;
            source = ./.;
            version = (builtins.fromJSON (builtins.readFile ./package.json)).version;
            commit = self.rev or self.dirtyRev or "";
            runtimes = [
              parts.nodejs_26
              parts.deno
              parts.bun
            ];
            # What pins processes and ties them to the driver; macOS has no such thing.
            placing = lib.optionals parts.isLinux [ parts.util-linux ];
            nodeModules = import ./nix/node-modules.nix parts;
            bench = import ./nix/bench.nix parts;
          };
        in
        parts;

      forEachSystem = make: lib.genAttrs systems (system: make (partsFor system));
    in
    {
      packages = forEachSystem (
        parts:
        {
          inherit (parts) bench;
          default = parts.bench;
          node-modules = parts.nodeModules;
        }
        // lib.optionalAttrs parts.isLinux { image = import ./nix/image.nix parts; }
      );

      apps = forEachSystem (parts: {
        default = {
          type = "app";
          program = "${parts.bench}/bin/bench";
          meta.description = "Run the benchmark: nix run . -- all --quick";
        };
      });

      devShells = forEachSystem (parts: {
        default = import ./nix/shell.nix (parts // { services = [ ]; });
        # With PostgreSQL and Redis for suites that ask real ones: nix develop .#services
        services = import ./nix/shell.nix (
          parts
          // {
            services = [
              parts.postgresql
              parts.redis
            ];
          }
        );
      });

      checks = forEachSystem (parts: import ./nix/checks.nix parts);

      formatter = forEachSystem (
        parts:
        parts.writeShellApplication {
          name = "levelfield-format";
          runtimeInputs = [ parts.deno ];
          text = ''exec deno fmt "$@"'';
          meta.description = "Format TypeScript, JSON, Markdown and YAML with Deno";
        }
      );
    };
}
