/**
 * Whether Grep and Glob find what git finds over all tracked files of real repositories, or say what they left out.
 *
 *   npm run compare-search -- [--pattern=TEXT]... [DIRECTORY...]
 *
 * Each directory is the top of a working tree. Without one, the ten installed packages with the most files are copied
 * and committed whole, with their `dist`, `build` and `node_modules`, one after the other. Exits with 1 where a file is
 * missing and the answer does not say so.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit } from "../src/index.ts";

const given = process.argv.slice(2);
const asked = given.filter((each) => each.startsWith("--pattern=")).map((each) => each.slice(10));
const patterns = asked.length > 0 ? asked : ["the", "import", "TODO", "prototype"];
const directories = given.filter((each) => !each.startsWith("--"));
let failures = 0;
for (const directory of directories) await compare(path.resolve(directory));
if (directories.length === 0) for (const each of largestPackages(10)) await compareCopy(each);
process.exit(failures === 0 ? 0 : 1);

/** Installed packages with the most files, the largest first. */
function largestPackages(count: number): readonly string[] {
  const packages = globSync("node_modules/{*,@*/*}/package.json").map((file) => path.dirname(file));
  return packages
    .map((directory) => ({ directory, files: readdirSync(directory, { recursive: true }).length }))
    .toSorted((one, other) => other.files - one.files)
    .slice(0, count)
    .map(({ directory }) => directory);
}

async function compareCopy(source: string): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), "haft-compare-search-"));
  const top = path.join(base, path.relative("node_modules", source));
  try {
    cpSync(source, top, { recursive: true, dereference: false });
    const git = (...words: readonly string[]): void => {
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", "-C", top, ...words], {
        stdio: "ignore",
      });
    };
    git("init", "-q");
    git("add", "--all", "--force");
    git("commit", "-q", "-m", "first");
    await compare(top);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function compare(top: string): Promise<void> {
  await using kit = await createToolkit({ workspace: top, eventLog: "memory" });
  const tracked = gitPaths(top, ["ls-files", "-z", "-s"], /^(?:100|120)\d+ \S+ \d\t/u);
  report(top, { tool: "Glob", wanted: tracked, ...(await pages(kit, "Glob", { pattern: "**" })) });
  for (const pattern of patterns) {
    const options = "-l -z -I --no-recurse-submodules -F -e".split(" ");
    const matching = gitPaths(top, ["grep", ...options, pattern]);
    const grepped = await pages(kit, "Grep", { pattern, literal: true, head_limit: 400 });
    report(top, { tool: `Grep ${pattern}`, wanted: matching, ...grepped });
  }
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
