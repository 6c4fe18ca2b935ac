import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  settingRows,
  settingsJsonSchema,
} from "../src/workspace/settings/schema/settings-schema.ts";
import { limitRows } from "./limits-table.ts";

// Writes settings.schema.json, which the package publishes, and the table of docs/settings.md from the table of settings:
//   node scripts/settings-schema.ts       writes both; format the files afterwards

const file = path.join(import.meta.dirname, "../settings.schema.json");
const pageFile = path.join(import.meta.dirname, "../docs/settings.md");

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

const trustNames = { needed: "needed", "to-widen": "to widen", "not-needed": "no" } as const;

interface DocumentedSetting {
  readonly name: string;
  readonly default: string;
  readonly trust: string;
  readonly meaning: string;
}

/** Every setting with its default and its sentence; groups are followed by their parts, except `limits`. */
export function documentedSettings(): readonly DocumentedSetting[] {
  return Object.entries(settingRows).flatMap(([name, { setting, trust }]) =>
    documented(name, setting.json, trustNames[trust]),
  );
}

function documented(name: string, json: Schema, trust: string): readonly DocumentedSetting[] {
  const { description = "", properties, additionalProperties: entry } = json;
  const own = {
    name,
    default: json["default"] === undefined ? "" : `\`${JSON.stringify(json["default"])}\``,
    trust,
    meaning: String(description),
  };
  if (name === "limits" || name === "hooks") return [own];
  const inner = isSchema(properties) ? properties : {};
  const parts = Object.entries(inner).flatMap(([part, each]) =>
    isSchema(each) ? documented(`${name}.${part}`, each, trust) : [],
  );
  const named = isSchema(entry) ? documented(`${name}.NAME`, entry, trust) : [];
  return [own, ...parts, ...named].filter(({ meaning }) => meaning !== "");
}

/** The page as it should be, its table generated again between its comments. */
export function withSettings(document: string): string {
  const rows = documentedSettings().map((row) => {
    const cells = [`\`${row.name}\``, row.default, row.trust, row.meaning.replaceAll("|", "\\|")];
    return `| ${cells.join(" | ")} |`;
  });
  const table = ["| setting | default | trust | meaning |", "| --- | --- | --- | --- |", ...rows];
  return document.replace(
    /(<!-- settings -->\n)[\s\S]*(<!-- end -->)/u,
    (_all, before: string, after: string) => `${before}\n${table.join("\n")}\n\n${after}`,
  );
}

export function readSettingsPage(): string {
  return readFileSync(pageFile, "utf8");
}

if (import.meta.main) writeFileSync(pageFile, withSettings(readSettingsPage()));
if (import.meta.main) writeFileSync(file, `${JSON.stringify(publishedSchema(), null, 2)}\n`);
