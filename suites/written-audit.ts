import { type Audit, type SentLoad, WrongAnswer } from "./suite.ts";

/** Requires that the service counts, at `/written`, all writes that were answered, and none that was not sent. */
export const writtenAudit = (what: "rows" | "keys", ofARequest: number) => (loads: readonly SentLoad[]): Audit => ({
  name: `as many ${what} were written as requests were answered`,
  async run(target) {
    const { body } = await target.send("GET", "/written");
    const written = Number(body);
    const sent = loads.flatMap((load) => load.sent.flat()).reduce((sum, count) => sum + count, 0);
    const open = loads.reduce(
      (sum, { connections, sent: threads }) => sum + connections * Math.max(1, threads.length),
      0,
    );
    const [least, most] = [ofARequest * Math.max(0, sent - open), ofARequest * sent];
    if (!(written >= least && written <= most)) {
      throw new WrongAnswer(
        `${what} written: ${body}; requests sent: ${sent}, for which ${least} to ${most} are right`,
      );
    }
    return { replies: 1, facts: { [`${what}_written`]: written } };
  },
});
