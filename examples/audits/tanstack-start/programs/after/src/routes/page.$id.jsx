import { createFileRoute, Link } from "@tanstack/react-router";

export const Route = createFileRoute("/page/$id")({ component: Page });

/** A heading and a hundred links, for each of which an address is built. */
function Page() {
  const { id } = Route.useParams();
  return (
    <div>
      <h1 data-testid="page-title">Page {id}</h1>
      <div>
        {Array.from({ length: 100 }, (_, n) => (
          <Link
            key={n}
            to="/page/$id"
            params={{ id: String(n % 10) }}
            data-testid={`link-${n}`}
            style={{ display: "block", margin: "2px 0" }}
          >
            Go to Page {n % 10}
          </Link>
        ))}
      </div>
    </div>
  );
}
