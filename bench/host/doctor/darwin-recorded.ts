import type { Ask } from "./ask.ts";

/**
 * For tests: what the programs of macOS print, in the form of their manual pages and sources, on an Apple laptop. The
 * figures are made up; the forms are not.
 */
export const LAPTOP: Readonly<Record<string, string>> = {
  "sysctl": `hw.logicalcpu: 10
hw.memsize: 17179869184
kern.hv_vmm_present: 0
vm.loadavg: { 0.31 1.97 2.05 }
vm.swapusage: total = 2048.00M  used = 1024.50M  free = 1023.50M  (encrypted)
net.inet.ip.portrange.first: 49152
net.inet.ip.portrange.last: 65535
kern.ipc.somaxconn: 128
`,
  "vm_stat": `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               10000.
Pages active:                            300000.
Pages inactive:                          290000.
Pages speculative:                         1000.
Pages throttled:                              0.
Pages wired down:                        120000.
Pages purgeable:                           2000.
"Translation faults":                 991939217.
Pages copy-on-write:                   66119231.
Pages zero filled:                    447391239.
Pages reactivated:                     21239102.
Pages purged:                           9812391.
File-backed pages:                       180000.
Anonymous pages:                         410000.
Pages stored in compressor:              520000.
Pages occupied by compressor:            170000.
Decompressions:                        23912391.
Compressions:                          31239123.
Pageins:                               15239102.
Pageouts:                                 91239.
Swapins:                                   1200.
Swapouts:                                  3400.
`,
  "pmset -g batt": `Now drawing from 'Battery Power'
 -InternalBattery-0 (id=21561443)	81%; discharging; 5:12 remaining present: true
`,
  "pmset -g": `System-wide power settings:
Currently in use:
 standby              1
 hibernatemode        3
 powernap             1
 disksleep            10
 sleep                1 (sleep prevented by sharingd)
 displaysleep         2
 lowpowermode         1
 womp                 0
`,
  "netstat -an -p tcp": `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)
tcp4       0      0  192.168.1.20.50112     17.57.146.20.5223      ESTABLISHED
tcp4       0      0  127.0.0.1.50313        127.0.0.1.8080         TIME_WAIT
tcp4       0      0  127.0.0.1.50314        127.0.0.1.8080         TIME_WAIT
tcp46      0      0  *.8080                 *.*                    LISTEN
`,
  "netstat -s -p tcp": `tcp:
	2403403 packets sent
		1021202 data packets (1044343434 bytes)
		423 data packets (324232 bytes) retransmitted
		0 resend initiated by MTU discovery
	14013 connection requests
	3433 connection accepts
	41 bad connection attempts
	7 listen queue overflows
	17388 connections established (including accepts)
`,
  "sh -c ulimit -n": "256\n",
  "ps -o time= -p 417": "  1:02.50\n",
  "ps -o rss= -p 417": " 51200\n",
  "ps -o time= -p 418": "",
};

/** For tests: answers as recorded; throws for a program that was not. */
export const askLaptop: Ask = (file, args) => {
  const printed = LAPTOP[[file, ...args].join(" ")] ?? LAPTOP[file];
  if (printed === undefined) throw new Error(`spawn ${file} ENOENT`);
  return printed;
};
