import { Liquid } from "liquidjs";
import type { Views } from "../pages.ts";
import { dense } from "../dense.ts";

const TEMPLATES = {
  simple: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title>{{ title }}</title></head>
    <body><h1>Hello, {{ visitor }}</h1><p>{{ note }}</p></body>
    </html>`,
  loop: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title>{{ title }}</title></head>
    <body>
    <h1>{{ title }}</h1>
    <ul>
    {% for row in rows %}
      {% if row.sold %}<li class="sold">{{ row.name }}</li>{% else %}<li>{{ row.name }}: {{ row.price }}</li>{% endif %}
    {% endfor %}
    </ul>
    </body>
    </html>`,
  layout: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title>{{ title }} - {{ site }}</title></head>
    <body>{% render "nav", site: site %}<main>{% block content %}{% endblock %}</main><footer>{{ site }}</footer></body>
    </html>`,
  nav: `<nav><a href="/">{{ site }}</a><a href="/about">About</a></nav>`,
  full: `
    {% layout "layout" %}
    {% block content %}
    <h1>{{ title }}</h1>
    <table>
    <thead><tr><th>Id</th><th>Name</th><th>Price</th><th>State</th></tr></thead>
    <tbody>
    {% for row in rows %}
      <tr>
        <td>{{ row.id }}</td>
        <td>{{ row.name | upcase }}</td>
        <td>{{ row.price }}</td>
        <td>{% if row.sold %}sold{% else %}open{% endif %}</td>
      </tr>
    {% endfor %}
    </tbody>
    </table>
    {% endblock %}`,
} as const;

/** LiquidJS: templates parsed once, at the start, and walked for each page. */
export function openViews(): Views {
  const templates = Object.fromEntries(Object.entries(TEMPLATES).map(([name, text]) => [name, dense(text)]));
  const liquid = new Liquid({ templates, cache: true, outputEscape: "escape" });
  const view = (name: keyof typeof TEMPLATES) => {
    const template = liquid.parseFileSync(name);
    return (page: object): string => liquid.renderSync(template, page);
  };
  return { simple: view("simple"), loop: view("loop"), full: view("full") };
}
