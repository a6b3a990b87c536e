import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The users table as drizzle-orm sees it; the columns in the order of a reply. */
export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  age: integer("age").notNull(),
  country: text("country").notNull(),
  createdAt: text("createdAt").notNull(),
});
