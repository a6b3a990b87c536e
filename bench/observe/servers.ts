import type { Member } from "../record/observation-record.ts";
import { lastSaid, type Running } from "./running.ts";
import type { Hosts } from "./sample-load.ts";
import { leftOpen, stopServices } from "./services.ts";
import { Stopped } from "./stopped.ts";

/** The servers of one observation. */
export interface Servers {
  /** The servers that are still measured, in the order of their start. */
  running(): readonly Running[];
  add(started: Running): void;
  /** Does something for a server. If that fails, it is stopped and left out, unless it is the only one. */
  orLeftOut(member: Member, act: () => Promise<void>): Promise<void>;
  stopAll(): Promise<void>;
  /** Last words on stderr, also of servers that were left out. */
  stderr(): string;
}

/** No server was started yet. */
export function noServers(hosts: Pick<Hosts, "server" | "service">, single: boolean): Servers {
  let running: readonly Running[] = [];
  const stop = async ({ member, server, services }: Running) => {
    await hosts.server.stop(server);
    const left = await leftOpen(services);
    const known = member.server?.services;
    if (known !== undefined && left.some(Boolean)) {
      const described = known.map((facts, n) => left[n] ? { ...facts, left_open: left[n] } : facts);
      member.server = { ...member.server!, services: described };
    }
    await stopServices(services, { hosts });
  };
  const leftOut: string[] = [];
  return {
    running: () => running,
    add: (started) => void (running = [...running, started]),
    async orLeftOut(member, act) {
      try {
        await act();
      } catch (error) {
        if (single || !(error instanceof Stopped)) throw error;
        member.marks = [...error.marks];
        leftOut.push(error.stderr);
        const failed = running.find((each) => each.member === member);
        running = running.filter((each) => each !== failed);
        if (failed !== undefined) await stop(failed);
      }
    },
    async stopAll() {
      for (const each of running) await stop(each);
      leftOut.push(lastSaid(running));
      running = [];
    },
    stderr: () => lastSaid(running, leftOut),
  };
}
