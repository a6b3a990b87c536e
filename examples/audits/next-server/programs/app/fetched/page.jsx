import process from "node:process";

export const dynamic = "force-dynamic";

/** A page that fetches thrice from a route of the same server before it is rendered. */
export default async function Page() {
  const { HOSTNAME, PORT } = process.env;
  const replies = await Promise.all(
    [1, 2, 3].map((n) => fetch(`http://${HOSTNAME}:${PORT}/api/ping?n=${n}`, { cache: "no-store" })),
  );
  const texts = await Promise.all(replies.map((reply) => reply.text()));
  return (
    <main>
      <h1>Fetched</h1>
      <ul>
        {texts.map((text, n) => <li key={n}>{text}</li>)}
      </ul>
    </main>
  );
}
