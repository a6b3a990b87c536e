export const dynamic = "force-dynamic";

const PLACES = Array.from({ length: 50 }, (_, n) => ({ name: `Place ${n + 1}`, price: 10 + n }));

/** A page that is rendered for each request: a heading and fifty rows. */
export default function Page() {
  return (
    <main>
      <h1>Places</h1>
      <ul>
        {PLACES.map(({ name, price }) => (
          <li key={name}>
            <b>{name}</b> {price} €
          </li>
        ))}
      </ul>
    </main>
  );
}
