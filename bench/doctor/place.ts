import { judgedDoubtful, judgedUnknown, judgedWell, type Linux, row } from "./row.ts";

const GUEST_DMI =
  /qemu|kvm|vmware|virtualbox|innotek|xen|hyper-v|virtual machine|bochs|parallels|bhyve|google compute engine|amazon ec2|openstack|digitalocean|hetzner_vserver|alibaba cloud ecs/i;
const GUEST_CLOCKS: Readonly<Record<string, string>> = {
  "kvm-clock": "KVM",
  "xen": "Xen",
  "hyperv_clocksource_tsc_page": "Hyper-V",
};

/** Rows on the hypervisor and the container around this process. */
export const PLACE_ROWS = {
  "virtual-machine": row(
    "Virtual machine",
    "clock, siblings and neighbours cannot be seen, and a virtual CPU may move between real ones",
    {
      linux: hypervisor,
      darwin: ({ setting }) => setting("kern.hv_vmm_present") === "0" ? null : "a virtual machine of macOS",
      judge: (name) => name === null ? judgedWell("none") : judgedDoubtful(name),
      needed: "the hypervisor",
      shared: (name) => name === null ? null : `a virtual machine (${name})`,
    },
  ),
  container: row("Container", "what runs in other containers shows only as load and steal", {
    linux: containerKind,
    // A container on macOS is Linux in a virtual machine, so no container sees macOS.
    darwin: () => null,
    judge: (kind) => kind === null ? judgedWell("none") : judgedUnknown(`${kind}: processes outside it cannot be seen`),
  }),
};

function hypervisor({ files }: Linux): string | null {
  const info = files.line("proc/cpuinfo");
  const maker = files.lineOr("sys/class/dmi/id/sys_vendor");
  const dmi = `${maker} ${files.lineOr("sys/class/dmi/id/product_name")}`.trim();
  const clocks = files.lineOr("sys/devices/system/clocksource/clocksource0/available_clocksource").split(/\s+/);
  const clock = clocks.map((name) => GUEST_CLOCKS[name]).find((name) => name !== undefined);
  if (/microsoft/i.test(files.lineOr("proc/version"))) return "WSL on Hyper-V";
  // x86 has a flag for guests; other architectures have none.
  const flags = /^flags\s*:(.*)$/m.exec(info)?.[1];
  if (flags !== undefined) {
    return /\bhypervisor\b/.test(flags) ? dmi || clock || "a hypervisor without a name" : null;
  }
  if (files.has("proc/device-tree/hypervisor")) {
    return files.lineOr("proc/device-tree/hypervisor/compatible", "a hypervisor");
  }
  if (/\bmetal\b/.test(dmi)) return null;
  if (GUEST_DMI.test(dmi)) return dmi;
  if (clock !== undefined) return clock;
  if (dmi !== "") return null;
  throw new Error("neither CPU flags nor firmware tell");
}

function containerKind({ files, env }: Linux): string | null {
  if (files.has("run/.containerenv")) return "podman";
  const rootMount = files.line("proc/self/mountinfo").split("\n").find((line) => line.split(" ")[4] === "/") ?? "";
  // Virtual machines made from a container image carry its mark too; but they have a disk and kernel threads.
  const wholeMachine = / - \S+ \/dev\//.test(rootMount) && files.lineOr("proc/2/comm") === "kthreadd";
  if (files.has(".dockerenv") && !wholeMachine) return "docker";
  if (env["KUBERNETES_SERVICE_HOST"] !== undefined) return "kubernetes";
  const named = env["container"] || files.lineOr("run/systemd/container");
  if (named !== "") return named;
  const group = /docker|kubepods|containerd|lxc|libpod/.exec(files.lineOr("proc/1/cgroup"))?.[0];
  if (group !== undefined) return group;
  return / - overlay /.test(rootMount) ? "a container on an overlay" : null;
}
