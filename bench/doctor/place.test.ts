import assert from "node:assert/strict";
import { test } from "node:test";
import { linuxFacts } from "./machine-facts.ts";
import { withTree } from "../../tests/fixtures/made-up-tree.ts";

const DISK = { "proc/self/mountinfo": "27 1 254:0 / / rw - ext4 /dev/vda rw\n" };
const OVERLAY = { "proc/self/mountinfo": "27 1 0:50 / / rw - overlay overlay rw,lowerdir=x\n" };
const place = (files: Record<string, string>, env: Record<string, string> = {}) =>
  withTree(files, (root) => linuxFacts(root, env));
const guest = (files: Record<string, string>) => place(files)["virtual-machine"];

test("x86 tells a guest by a flag; its name comes from firmware, else from its clock", () => {
  const flags = { "proc/cpuinfo": "flags\t\t: fpu hypervisor\n" };
  assert.deepEqual(guest({ "proc/cpuinfo": "flags\t\t: fpu vme\n" }), { value: null });
  assert.deepEqual(guest(flags), { value: "a hypervisor without a name" });
  assert.deepEqual(
    guest({ ...flags, "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock \n" }),
    { value: "KVM" },
  );
  assert.deepEqual(
    guest({ ...flags, "sys/class/dmi/id/sys_vendor": "QEMU\n", "sys/class/dmi/id/product_name": "Standard PC\n" }),
    { value: "QEMU Standard PC" },
  );
});

test("other architectures have no flag: firmware decides, and without it nothing is claimed", () => {
  const arm = { "proc/cpuinfo": "processor : 0\nFeatures : fp asimd\n" };
  const made = (vendor: string, product: string) =>
    guest({ ...arm, "sys/class/dmi/id/sys_vendor": vendor, "sys/class/dmi/id/product_name": product });
  assert.deepEqual(made("Amazon EC2", "c7g.large"), { value: "Amazon EC2 c7g.large" });
  assert.deepEqual(made("Amazon EC2", "c7g.metal"), { value: null });
  assert.deepEqual(made("Ampere", "Altra"), { value: null });
  assert.ok("unreadable" in guest(arm));
  assert.ok("unreadable" in guest({}));
});

test("containers are known by their marks, their environment, their group or their root", () => {
  const kind = (files: Record<string, string>, env?: Record<string, string>) => place(files, env).container;
  assert.deepEqual(kind(DISK), { value: null });
  assert.deepEqual(kind({ ...OVERLAY, ".dockerenv": "" }), { value: "docker" });
  assert.deepEqual(kind({ ...OVERLAY, "run/.containerenv": "" }), { value: "podman" });
  assert.deepEqual(kind(OVERLAY, { KUBERNETES_SERVICE_HOST: "10.0.0.1" }), { value: "kubernetes" });
  assert.deepEqual(kind(DISK, { container: "lxc" }), { value: "lxc" });
  assert.deepEqual(kind({ ...DISK, "proc/1/cgroup": "0::/kubepods/pod1\n" }), { value: "kubepods" });
  assert.deepEqual(kind(OVERLAY), { value: "a container on an overlay" });
  assert.ok("unreadable" in kind({}));
});

test("a machine made from a container image is no container: it has a disk and kernel threads", () => {
  assert.deepEqual(place({ ...DISK, ".dockerenv": "", "proc/2/comm": "kthreadd\n" }).container, { value: null });
  assert.deepEqual(place({ ...DISK, ".dockerenv": "" }).container, { value: "docker" });
});
