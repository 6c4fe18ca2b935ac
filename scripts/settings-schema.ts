import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { settingsJsonSchema } from "../src/workspace/settings/schema/settings-schema.ts";
import { limitRows } from "./limits-table.ts";

// Writes settings.schema.json, which the package publishes, from the table of settings:
//   node scripts/settings-schema.ts       writes it; format the file afterwards

const file = path.join(import.meta.dirname, "../settings.schema.json");

type Schema = { readonly [key: string]: unknown };

/** The published schema: that of the table, with the sentence that documents each limit. */
export function publishedSchema(): Schema {
  const schema: Schema = structuredClone(settingsJsonSchema());
  for (const { name, meaning } of limitRows()) {
    const [group = "", limit = ""] = name.split(".");
    const found = property(property(property(schema, "limits"), group), limit);
    Object.assign(found, { description: meaning });
  }
  return schema;
}

function property(schema: Schema, name: string): Schema {
  const { properties } = schema;
  const found: unknown = isSchema(properties) ? properties[name] : undefined;
  if (isSchema(found)) return found;
  throw new Error(`The schema has no property ${name}.`);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null;
}

export function storedSchema(): Schema {
  const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isSchema(stored) ? stored : {};
}

if (import.meta.main) writeFileSync(file, `${JSON.stringify(publishedSchema(), null, 2)}\n`);
