# The driver with its packages and pinned tools: runs anywhere, writes to ./results and to the user's cache folder.
{
  bashInteractive,
  commit,
  coreutils,
  isLinux,
  nodeModules,
  placing,
  runCommand,
  runtimes,
  source,
  sqlite,
  version,
  writeShellApplication,
  wrk,
  ...
}:
let
  project = builtins.path {
    path = source;
    name = "levelfield-source";
    filter =
      path: _:
      let
        inside = builtins.substring (builtins.stringLength (toString source) + 1) (-1) (toString path);
        top = builtins.head (builtins.split "/" inside);
      in
      builtins.elem top [
        "bench"
        "bin"
        "bunfig.toml"
        "deno.json"
        "flake.lock"
        "mod.ts"
        "package-lock.json"
        "package.json"
        "servers"
        "stores"
        "suites"
      ];
  };
  installed = runCommand "levelfield-${version}" { } ''
    mkdir -p $out/share
    cp -R ${project} $out/share/levelfield
    chmod u+w $out/share/levelfield
    ln -s ${nodeModules}/node_modules $out/share/levelfield/node_modules
  '';
in
writeShellApplication {
  name = "bench";
  runtimeInputs = runtimes ++ placing ++ [
    bashInteractive
    coreutils
    wrk
  ];
  text = ''
    export LEVELFIELD_TOOLS=path
    export LEVELFIELD_ENVIRONMENT="''${LEVELFIELD_ENVIRONMENT:-nix}"
    export LEVELFIELD_SQLITE="''${LEVELFIELD_SQLITE:-${sqlite.out}/lib/libsqlite3.${if isLinux then "so" else "dylib"}}"
    export LEVELFIELD_GIT_COMMIT=${commit}
    export LEVELFIELD_RESULTS="''${LEVELFIELD_RESULTS:-$PWD/results}"
    # Without HOME the user's own folder is asked of the system: one in /tmp could be anybody's.
    home=~
    export LEVELFIELD_DATA="''${LEVELFIELD_DATA:-''${XDG_CACHE_HOME:-$home/.cache}/levelfield}"
    exec bash ${installed}/share/levelfield/bin/bench "$@"
  '';
  meta.description = "Levelfield with pinned Node, Deno, Bun and wrk";
}
