import { Eta } from "eta";
import type { Views } from "../pages.ts";
import { dense } from "../dense.ts";

const TEMPLATES = {
  simple: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title><%= it.title %></title></head>
    <body><h1>Hello, <%= it.visitor %></h1><p><%= it.note %></p></body>
    </html>`,
  loop: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title><%= it.title %></title></head>
    <body>
    <h1><%= it.title %></h1>
    <ul>
    <% for (const row of it.rows) { %>
      <% if (row.sold) { %><li class="sold"><%= row.name %></li><% } else { %><li><%= row.name %>: <%= row.price %></li><% } %>
    <% } %>
    </ul>
    </body>
    </html>`,
  layout: `
    <!DOCTYPE html>
    <html lang="en">
    <head><title><%= it.title %> - <%= it.site %></title></head>
    <body><%~ include("@nav", it) %><main><%~ it.body %></main><footer><%= it.site %></footer></body>
    </html>`,
  nav: `<nav><a href="/"><%= it.site %></a><a href="/about">About</a></nav>`,
  full: `
    <% layout("@layout") %>
    <h1><%= it.title %></h1>
    <table>
    <thead><tr><th>Id</th><th>Name</th><th>Price</th><th>State</th></tr></thead>
    <tbody>
    <% for (const row of it.rows) { %>
      <tr>
        <td><%= row.id %></td>
        <td><%= row.name.toUpperCase() %></td>
        <td><%= row.price %></td>
        <td><% if (row.sold) { %>sold<% } else { %>open<% } %></td>
      </tr>
    <% } %>
    </tbody>
    </table>`,
} as const;

/** Eta: templates compiled to functions once, at the start. */
export function openViews(): Views {
  const eta = new Eta({ cache: true });
  for (const [name, template] of Object.entries(TEMPLATES)) eta.loadTemplate(`@${name}`, dense(template));
  return {
    simple: (page) => eta.render("@simple", page),
    loop: (page) => eta.render("@loop", page),
    full: (page) => eta.render("@full", page),
  };
}
