import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { capabilityFacts, capabilityLevel, type Tool } from "../src/core/index.ts";
import { renderDescription } from "../src/registry/index.ts";
import { toJsonSchema } from "../src/schema/index.ts";
import { toolLoaders } from "../src/tools/tool-loaders.ts";

// Writes src/tools/catalog.json, the facts about the built-in tools that are known without loading one:
//   node scripts/catalog.ts          writes it; format it afterwards (`npm run generate` does both)
//   node scripts/catalog.ts --check  exits with 1 where it is not current

const catalogFile = path.join(import.meta.dirname, "../src/tools/catalog.json");

/** Content of the catalog when it is made from the current tools, as JSON would carry it. */
async function catalogEntries(): Promise<unknown> {
  const tools = await Promise.all(Object.values(toolLoaders).map(async (load) => await load()));
  return JSON.parse(JSON.stringify(await Promise.all(tools.map(entryOf))));
}

/** Whether the file says the same, however it is laid out. */
export async function isCurrent(): Promise<boolean> {
  const kept: unknown = JSON.parse(readFileSync(catalogFile, "utf8"));
  return JSON.stringify(kept) === JSON.stringify(await catalogEntries());
}

async function entryOf(tool: Tool) {
  const { name, displayName, category, aliases, searchHint, alwaysLoad, variantOf } = tool;
  const { touches, flags, modes, staged, needs, timeoutMs, maxChars } = tool;
  const { summary, text } = renderDescription(tool.description);
  return {
    name,
    displayName,
    category,
    aliases,
    searchHint,
    alwaysLoad,
    variantOf,
    touches,
    flags,
    modes,
    staged,
    needs: needs?.map(({ id }) => ({ id })),
    timeoutMs,
    maxChars,
    summary,
    description: text,
    level: capabilityLevel(capabilityFacts(tool)),
    inputSchema: await toJsonSchema(tool.input),
  };
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes("--check")) {
    writeFileSync(catalogFile, `${JSON.stringify(await catalogEntries(), null, 2)}\n`);
  } else if (!(await isCurrent())) {
    process.stderr.write("src/tools/catalog.json is not current; run npm run generate\n");
    process.exitCode = 1;
  }
}
