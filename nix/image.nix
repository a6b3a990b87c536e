# A container image that needs nothing from outside: `nix build .#image && ./result | podman load`.
# It behaves as the one made from the Containerfile.
{
  bashInteractive,
  bench,
  commit,
  coreutils,
  dockerTools,
  lib,
  source,
  tini,
  util-linux,
  version,
  ...
}:
dockerTools.streamLayeredImage {
  name = "levelfield";
  tag = version;
  contents = [ bench ];
  extraCommands = ''
    mkdir -m 1777 tmp results data
  '';
  config = {
    Entrypoint = [
      "${bashInteractive}/bin/bash"
      "${source + "/container/entry.sh"}"
    ];
    Cmd = [ "--help" ];
    WorkingDir = "/";
    Volumes = {
      "/data" = { };
      "/results" = { };
    };
    Env = [
      "PATH=${
        lib.makeBinPath [
          bench
          bashInteractive
          coreutils
          tini
          util-linux
        ]
      }"
      "HOME=/tmp"
      "LEVELFIELD_ENVIRONMENT=image"
      "LEVELFIELD_RESULTS=/results"
      "LEVELFIELD_DATA=/data"
    ];
    Labels = {
      "org.opencontainers.image.title" = "Levelfield";
      "org.opencontainers.image.version" = version;
      "org.opencontainers.image.revision" = commit;
    };
  };
}
// {
  meta.description = "Container image with everything inside, as a script that writes it to stdout";
}
