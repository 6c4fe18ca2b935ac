/**
 * Whether Grep and Glob find what git finds over all tracked files of real repositories, or say what they left out.
 *
 *   node scripts/compare-search.ts [--pattern=TEXT] DIRECTORY...
 *
 * Each directory is the top of a working tree. Exits with 1 where a file is missing and the answer does not say so.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { createToolkit, type Kit } from "../src/index.ts";

const given = process.argv.slice(2);
const pattern = given.find((each) => each.startsWith("--pattern="))?.slice(10) ?? "the";
const directories = given.filter((each) => !each.startsWith("--"));
let failures = 0;
for (const directory of directories) await compare(path.resolve(directory));
process.exit(failures === 0 ? 0 : 1);

async function compare(top: string): Promise<void> {
  await using kit = await createToolkit({ workspace: top, eventLog: "memory" });
  const tracked = gitPaths(top, ["ls-files", "-z", "-s"], /^(?:100|120)\d+ \S+ \d\t/u);
  const matching = gitPaths(top, [
    "grep",
    "-l",
    "-z",
    "-I",
    "--no-recurse-submodules",
    "-F",
    "-e",
    pattern,
  ]);
  const globbed = await pages(kit, "Glob", { pattern: "**" });
  const grepped = await pages(kit, "Grep", { pattern, literal: true, head_limit: 10_000 });
  report(top, { tool: "Glob", wanted: tracked, ...globbed });
  report(top, { tool: "Grep", wanted: matching, ...grepped });
}

interface Found {
  readonly files: ReadonlySet<string>;
  /** Notes in brackets at the end of the answers. */
  readonly said: string;
}

function report(
  top: string,
  {
    tool,
    wanted,
    files,
    said,
  }: Found & { readonly tool: string; readonly wanted: readonly string[] },
): void {
  const missing = wanted.filter((file) => !files.has(file));
  const isSaid = /Not searched|Links are not followed|could not be|truncated|binary/u.test(said);
  if (missing.length > 0 && !isSaid) failures += 1;
  const state =
    missing.length === 0
      ? "all found"
      : `${missing.length} missing, ${isSaid ? "stated" : "NOT STATED"}`;
  process.stdout.write(
    `${path.basename(top).padEnd(28)} ${tool}: ${wanted.length} of git, ${state}\n`,
  );
  for (const file of missing.slice(0, 3)) process.stdout.write(`    ${file}\n`);
}

async function pages(kit: Kit, name: string, input: Record<string, unknown>): Promise<Found> {
  const files = new Set<string>();
  let said = "";
  for (let offset = 1; ;) {
    const outcome = await kit.call({ name, input: { ...input, offset } });
    if (outcome.error !== undefined) throw new Error(outcome.text);
    const lines = outcome.text.split("\n");
    if (lines.at(-1)?.startsWith("(") === true) said += lines.pop() ?? "";
    for (const line of lines) files.add(line);
    const { next } = outcome.metadata;
    if (typeof next !== "number") return { files, said };
    offset = next;
  }
}

function gitPaths(top: string, args: readonly string[], prefix = /^/u): readonly string[] {
  try {
    const printed = execFileSync("git", ["-C", top, ...args], {
      maxBuffer: 1 << 30,
      encoding: "utf8",
    });
    return printed
      .split("\0")
      .filter((line) => line !== "" && prefix.test(line))
      .map((line) => line.replace(prefix, ""));
  } catch {
    // `git grep` that finds nothing exits with 1.
    return [];
  }
}
