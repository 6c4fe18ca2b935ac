/**
 * Writes `docs/api`, the public surface: per entry the exported names with their types and everything those reach,
 * sorted by name and without comments, and a page of reference with them; the tools as each provider sees them; the help of every command. A change of
 * the surface is a change of these files.
 *
 *   npm run api               writes them from `dist`, which it builds first
 *   npm run api -- --check    exits 1 where they differ from what it would write
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { referencePage, undocumented } from "./api-reference.ts";
import { createToolkit, memoryHost } from "../src/index.ts";

const root = path.join(import.meta.dirname, "..");
const directory = path.join(root, "docs/api");
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const reports = await writeReports();
if (values.check) {
  const different = differing(reports);
  if (different.length > 0) {
    process.stderr.write(
      `The public surface differs from ${different.map((name) => `docs/api/${name}`).join(", ")}. ` +
        "Run `npm run api` and review the difference.\n",
    );
    process.exitCode = 1;
  }
} else {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of reports) writeFileSync(path.join(directory, name), text);
}

/** File name to content, for each entry of package.json. */
async function writeReports(): Promise<ReadonlyMap<string, string>> {
  const manifest: { readonly exports: Readonly<Record<string, string | { types: string }>> } =
    JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const written = new Map<string, string>();
  const missing: string[] = [];
  for (const [entry, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") continue;
    const name = entry === "." ? "haft" : entry.slice("./".length);
    const declarations = await declarationsOf(target.types);
    written.set(`${name}.d.ts`, sortedWithoutComments(declarations));
    written.set(`${name}.md`, referencePage(name, declarations));
    missing.push(...undocumented(declarations).map((each) => `${name}: ${each}`));
  }
  if (missing.length > 0) {
    process.stderr.write(`Public members without a doc comment:\n${missing.join("\n")}\n`);
    process.exitCode = 1;
  }
  for (const [name, text] of await toolLists()) written.set(name, text);
  written.set("help.txt", helpTexts());
  return written;
}

/** The built-in tools as a model of each provider sees them before its first call. */
async function toolLists(): Promise<readonly (readonly [string, string])[]> {
  await using kit = await createToolkit({ host: memoryHost({}) });
  return await Promise.all(
    (["anthropic", "openai-chat", "openai-responses", "gemini", "mcp"] as const).map(
      async (format) => {
        const { tools } = await kit.definitions(format);
        return [`tools.${format}.json`, `${JSON.stringify(tools, null, 2)}\n`] as const;
      },
    ),
  );
}

/** Output of `haft --help`, then of `haft VERB --help` for each verb it names. */
function helpTexts(): string {
  const overview = help([]);
  const verbs = [...overview.matchAll(/^ {2}(?<verb>[a-z]+) {2,}/gmu)].map(([line]) => line.trim());
  return [overview, ...verbs.map((verb) => `== ${verb}\n${help([verb])}`)].join("\n");
}

function help(args: readonly string[]): string {
  const command = path.join(root, "bin/haft.cjs");
  return execFileSync(process.execPath, [command, ...args, "--help"], { encoding: "utf8" });
}

/** One entry's declarations joined into one text, with only what its exports reach. */
async function declarationsOf(types: string): Promise<string> {
  const bundle = await rolldown({
    input: { entry: path.join(root, types) },
    plugins: [dts({ dtsInput: true, generator: "oxc", tsconfig: false })],
    external: (id) => !/^[./]/u.test(id),
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  const chunks = output.filter((file) => file.type === "chunk");
  const [only] = chunks;
  if (only === undefined || chunks.length > 1) throw new Error(`${types} did not become one file.`);
  return only.code;
}

/** Statements in the order of their names: moving a source file changes nothing here. */
function sortedWithoutComments(code: string): string {
  const { program, comments, errors } = parseSync("entry.d.ts", code);
  if (errors.length > 0)
    throw new Error(`The joined declarations do not parse: ${errors[0]?.message}`);
  const statements = program.body.map(({ start, end }) => {
    const inside = comments.filter((comment) => comment.start >= start && comment.end <= end);
    let text = "";
    let from = start;
    for (const comment of inside) {
      text += code.slice(from, comment.start);
      from = comment.end;
    }
    return (text + code.slice(from, end)).replaceAll(/\n\s*(?=\n)/gu, "");
  });
  return `${statements.toSorted(byName).join("\n")}\n`;
}

function byName(one: string, other: string): number {
  const [first, second] = [keyOf(one), keyOf(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Imports first, the list of exported names last, declarations between them by name. */
function keyOf(statement: string): string {
  if (statement.startsWith("import")) return `0 ${statement}`;
  if (/^export (?:type )?\{/u.test(statement)) return `2 ${statement}`;
  const named =
    /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum|namespace) (?<name>[\w$]+)/u;
  const name = named.exec(statement)?.groups?.["name"];
  if (name === undefined) throw new Error(`No name in: ${statement.slice(0, 80)}`);
  return `1 ${name} ${statement}`;
}

function differing(wanted: ReadonlyMap<string, string>): readonly string[] {
  const present = new Set(readdirSync(directory));
  const changed = [...wanted].filter(
    ([name, text]) =>
      !present.has(name) || readFileSync(path.join(directory, name), "utf8") !== text,
  );
  const gone = [...present].filter((name) => !wanted.has(name));
  return [...changed.map(([name]) => name), ...gone];
}
