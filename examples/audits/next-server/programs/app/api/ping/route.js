export const dynamic = "force-dynamic";

/** A route that does nothing. */
export const GET = () => Response.json({ ok: true });
