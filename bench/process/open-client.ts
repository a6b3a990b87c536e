import { h2Client } from "./h2-client.ts";
import { type Client, httpClient } from "./http-client.ts";
import type { Spoken } from "./spoken.ts";

/** Opens a client of one server, which speaks what the server does; see {@link httpClient}. */
export const openClient = (url: string, timeoutMs: number, spoken: Spoken = { protocol: "http" }): Client =>
  spoken.protocol.startsWith("h2") ? h2Client(url, timeoutMs, spoken) : httpClient(url, timeoutMs, spoken);
