# The development shell: `bench` runs the checkout it is called in, with nixpkgs' runtimes.
{
  bench,
  gitMinimal,
  isLinux,
  mkShell,
  nghttp2,
  nodeModules,
  openssl,
  placing,
  runtimes,
  services,
  sqlite,
  writeShellApplication,
  wrk,
  ...
}:
let
  # Of the checkout around the current folder, or the package where there is none (nix develop github:…).
  benchHere = writeShellApplication {
    name = "bench";
    text = ''
      folder=$PWD
      while [ "$folder" != "" ]; do
        if [ -f "$folder/bench/main.ts" ]; then exec bash "$folder/bin/bench" "$@"; fi
        folder=''${folder%/*}
      done
      exec ${bench}/bin/bench "$@"
    '';
    meta.description = "Levelfield from the checkout around the current folder";
  };
in
mkShell {
  name = "levelfield";
  packages = runtimes ++ placing ++ services ++ [
    benchHere
    gitMinimal
    nghttp2
    openssl
    sqlite
    wrk
  ];
  LEVELFIELD_TOOLS = "path";
  LEVELFIELD_ENVIRONMENT = "nix";
  # The one library that engine `library` opens from every runtime.
  LEVELFIELD_SQLITE = "${sqlite.out}/lib/libsqlite3.${if isLinux then "so" else "dylib"}";
  # A link costs nothing and follows the lock file; a folder made by npm is left as it is.
  shellHook = ''
    if [ -f bench/main.ts ] && { [ -L node_modules ] || [ ! -e node_modules ]; }; then
      ln -sfn ${nodeModules}/node_modules node_modules
    fi
  '';
  meta.description = "Node, Deno, Bun, wrk, h2load, openssl, sqlite and bench, ready to measure";
}
