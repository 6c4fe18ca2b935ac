import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type JsonSchema, type Tool } from "../src/core/index.ts";
import { bash } from "../src/tools/bash/bash.ts";
import { edit } from "../src/tools/edit/edit.ts";
import { glob } from "../src/tools/glob/glob.ts";
import { grep } from "../src/tools/grep/grep.ts";
import { listDir } from "../src/tools/list-dir/list-dir.ts";
import { read } from "../src/tools/read/read.ts";
import { write } from "../src/tools/write/write.ts";

// Writes src/tools/catalog.json, what can be said of the built-in tools without loading one:
//   node scripts/catalog.ts          writes it; format it afterwards
//   node scripts/catalog.ts --check  exits with 1 where it is not current

const catalogFile = path.join(import.meta.dirname, "../src/tools/catalog.json");

export const tools: readonly Tool[] = [bash, edit, glob, grep, listDir, read, write];

/** What the catalog says when it is made from the tools as they are now, as JSON would carry it. */
export function catalogEntries(): unknown {
  return JSON.parse(JSON.stringify(tools.map(entryOf)));
}

/** Whether the file says the same, however it is laid out. */
export function isCurrent(): boolean {
  const kept: unknown = JSON.parse(readFileSync(catalogFile, "utf8"));
  return JSON.stringify(kept) === JSON.stringify(catalogEntries());
}

function entryOf(tool: Tool) {
  const { name, displayName, category, aliases, searchHint, touches, needs, timeoutMs, maxChars } =
    tool;
  const description = textOf(tool);
  return {
    name,
    displayName,
    category,
    aliases,
    searchHint,
    touches,
    needs: needs?.map(({ id }) => ({ id })),
    timeoutMs,
    maxChars,
    summary: /^.*?[.!?](?=\s|$)/u.exec(description)?.[0] ?? description,
    description,
    inputSchema: publishedSchema(tool),
  };
}

function textOf({ name, description }: Tool): string {
  if (typeof description === "string") return description;
  throw new TypeError(`${name}: a built-in tool describes itself in one text.`);
}

function publishedSchema({ name, input }: Tool): JsonSchema {
  if ("~standard" in input) {
    const standard: unknown = input["~standard"];
    if (isConverter(standard)) {
      const { $schema: _dialect, ...schema } = standard.jsonSchema.input({
        target: "draft-2020-12",
      });
      return withoutDoubleLimits(schema);
    }
  }
  throw new ToolError("UNAVAILABLE", `${name} has no JSON Schema.`);
}

interface Converter {
  readonly jsonSchema: { input(options: { target: string }): Record<string, unknown> };
}

function isConverter(value: unknown): value is Converter {
  return typeof value === "object" && value !== null && "jsonSchema" in value;
}

/** The limits of a double on every whole number say nothing to a model. */
function withoutDoubleLimits(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema).filter(
    ([, value]) => typeof value !== "number" || Math.abs(value) < Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value) ? withoutDoubleLimits(value) : value]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes("--check")) {
    writeFileSync(catalogFile, `${JSON.stringify(catalogEntries(), null, 2)}\n`);
  } else if (!isCurrent()) {
    process.stderr.write("src/tools/catalog.json is not current; run node scripts/catalog.ts\n");
    process.exitCode = 1;
  }
}
