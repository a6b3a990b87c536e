# The parts of the gate that need no network. Type checking needs the compiler npm pins: bin/test does it.
{
  bench,
  coreutils,
  deno,
  nodeModules,
  runCommand,
  runtimes,
  source,
  ...
}@parts:
let
  check =
    name: description: inputs: script:
    runCommand "levelfield-check-${name}"
      {
        nativeBuildInputs = inputs;
        meta = { inherit description; };
        __darwinAllowLocalNetworking = true;
      }
      ''
        export HOME=$TMPDIR DENO_DIR=$TMPDIR/deno DENO_NO_UPDATE_CHECK=1
        cp -R ${source} checkout
        chmod -R u+w checkout
        cd checkout
        rm -rf node_modules
        ln -s ${nodeModules}/node_modules node_modules
        ${script}
        touch $out
      '';
  # Tests of these rooms are pure: no process, no clock, no network.
  unit =
    name: command:
    check "unit-${name}" "Unit tests on ${name}" runtimes ''
      ${command} $(find ./bench/{basics,record,statistics,judge,core,result} -name '*.test.ts' | sort)
    '';
in
{
  format = check "format" "Source is formatted as deno fmt does it" [ deno ] "deno fmt --check";
  lint = check "lint" "Source has no fault deno lint finds" [ deno ] "deno lint";
  # nix/package.nix stands by itself: it names all that it takes, and says what nixpkgs asks of a package.
  package =
    let
      recipe = import ./package.nix;
      inherit (recipe (builtins.intersectAttrs (builtins.functionArgs recipe) parts)) meta;
      said = [
        meta.description
        meta.homepage
        meta.license.spdxId
        meta.mainProgram
      ] ++ meta.platforms;
    in
    check "package" "nix/package.nix can be evaluated and has its meta" [ ] ''
      echo "${builtins.concatStringsSep " " said}" | grep -q 'https://.* MIT levelfield x86_64-linux'
    '';
  unit-node = unit "node" "node --test";
  unit-deno = unit "deno" "deno test --allow-all --no-check --cached-only";
  # Simulations take longer than the five seconds that Bun gives a test; 0 takes that limit away.
  unit-bun = unit "bun" "bun test --timeout 0";
  # One real trial a runtime: the package is whole and its servers answer as the oracle says. Its figures are thrown away.
  trial = check "trial" "One real trial on each runtime" [ bench coreutils ] ''
    export LEVELFIELD_RESULTS=$TMPDIR/results LEVELFIELD_DATA=$TMPDIR/data
    # Exit 3: a busy machine may spoil a trial, but none may fail.
    bench run --store map --size 10k --rounds 1 --duration 1s --json || [ $? -eq 3 ]
    [ -s $LEVELFIELD_RESULTS/*/journal.ndjson ]
    ! grep -q '"status":"failed"' $LEVELFIELD_RESULTS/*/journal.ndjson
  '';
}
