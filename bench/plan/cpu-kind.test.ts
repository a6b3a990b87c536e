import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuKind } from "./cpu-kind.ts";

/** One processor of /proc/cpuinfo on x86, in the form of Linux 6. */
const x86 = (vendor: string, family: number, model: number, name: string) =>
  `processor\t: 0
vendor_id\t: ${vendor}
cpu family\t: ${family}
model\t\t: ${model}
model name\t: ${name}
stepping\t: 2
microcode\t: 0x1
cpu MHz\t\t: 2100.000
power management:

`;

/** One processor of /proc/cpuinfo on 64-bit ARM. */
const arm = (implementer: string, part: string) =>
  `processor\t: 0
BogoMIPS\t: 243.75
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics
CPU implementer\t: ${implementer}
CPU architecture: 8
CPU variant\t: 0x3
CPU part\t: ${part}
CPU revision\t: 1

`;

const XEON = "Intel(R) Xeon(R) Processor";

test("two kinds of CPU with one model name are told apart by family and model", () => {
  assert.equal(cpuKind(x86("GenuineIntel", 6, 207, XEON).repeat(2), XEON), "intel-6-207");
  assert.equal(cpuKind(x86("GenuineIntel", 6, 85, XEON), XEON), "intel-6-85");
  assert.equal(cpuKind(x86("AuthenticAMD", 25, 1, "AMD EPYC"), "AMD EPYC"), "amd-25-1");
  assert.equal(cpuKind(x86("HygonGenuine", 24, 1, "Hygon C86 7185"), ""), "hygon-24-1");
  assert.equal(cpuKind(x86("  Shanghai  ", 7, 59, "ZHAOXIN KaiXian"), ""), "shanghai-7-59");
});

test("an ARM CPU is its implementer and part, one of several kinds of core all of them in one order", () => {
  assert.equal(cpuKind(arm("0x41", "0xd0c").repeat(4), ""), "arm-41-d0c");
  assert.equal(cpuKind(arm("0x61", "0x022"), ""), "arm-61-022");
  const small = arm("0x41", "0xd05"), large = arm("0x41", "0xD0B");
  assert.equal(cpuKind(small + small + large, ""), "arm-41-d05-41-d0b");
  assert.equal(cpuKind(large + small, ""), "arm-41-d05-41-d0b");
});

test("without such fields the kind is the model's name without trade marks, clock and signs", () => {
  assert.equal(cpuKind("", "Apple M2"), "apple-m2");
  assert.equal(cpuKind("", "Apple M2 Pro"), "apple-m2-pro");
  assert.equal(cpuKind("", "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz"), "intel-core-i7-9750h");
  assert.equal(cpuKind("processor\t: 0\nhart\t\t: 0\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n", "u74"), "u74");
  assert.equal(cpuKind("vendor_id       : IBM/S390\n# processors    : 4\n", "IBM/S390"), "ibm-s390");
  assert.equal(cpuKind("", ""), "unknown");
  assert.equal(cpuKind("", "雪"), "unknown");
});

test("a kind is always a word that can stand in a folder's name", () => {
  for (const name of ["../../etc", "a/b\\c", `<script>"x"</script>`, "-".repeat(9), "x".repeat(300), "a ".repeat(99)]) {
    assert.match(cpuKind("", name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.ok(cpuKind(x86(name, 6, 207, name), name).length < 64);
    assert.match(cpuKind(x86(name, 6, 207, name), name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});
