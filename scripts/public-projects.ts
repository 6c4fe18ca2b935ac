// Reads what public packages bring for agents, as a user would: `npm run public-projects [-- NAME@VERSION ...]`. Each
// directory of a package that has settings, servers, instructions, agents or skills is checked with `haft config check`.
// It fails where a check crashes, or names a problem of a file without its line. Nothing of a package is run.
import { execFile } from "node:child_process";
import { glob, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const packages = [
  "@claude-flow/cli@3.42.5",
  "agentic-flow@2.1.3",
  "agentic-qe@3.14.0",
  "aios-core@4.4.6",
  "bmad-method@6.12.0",
  "bun-types@1.4.5",
  "cc-sdd@3.0.2",
  "claude-flow@3.43.0",
  "claude-mem@13.25.3",
  "create-claude@0.1.13",
  "ecc-universal@2.0.0",
  "oh-my-claude-sisyphus@5.5.0",
  "oh-my-opencode@4.19.4",
  "opencode-swarm-plugin@0.63.2",
  "task-master-ai@0.43.1",
  "vite-plus@0.3.3",
];
/** Names of which one is in each directory that is checked. */
const marks = ["AGENTS.md", "CLAUDE.md", ".mcp.json", ".claude", ".claude-plugin", ".agents"];

interface Checked {
  readonly path: string;
  readonly problems: readonly { readonly severity: string; readonly line?: number }[];
}

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), "haft-public-"));
const asked = process.argv.slice(2);
let directories = 0;
try {
  for (const name of asked.length === 0 ? packages : asked) await checkPackage(name);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${directories} directories\n`);

async function checkPackage(name: string): Promise<void> {
  const root = path.join(folder, name.replaceAll(/[^\w.-]+/gu, "-"));
  await mkdir(root);
  const flags = ["pack", "--silent", "--ignore-scripts", "--pack-destination", root, name];
  const { stdout } = await run("npm", flags, { shell: process.platform === "win32" });
  await run("tar", ["-xzf", path.join(root, stdout.trim()), "-C", root]);
  const count = { directories: 0, files: 0, error: 0, warning: 0 };
  for (const directory of await projects(root)) {
    count.directories += 1;
    for (const { path: file, problems } of await check(directory)) {
      count.files += 1;
      for (const { severity, line } of problems) {
        count[severity === "error" ? "error" : "warning"] += 1;
        if (line === undefined && (await stat(file)).isFile()) {
          process.stdout.write(`A problem without its line: ${path.relative(folder, file)}\n`);
          process.exitCode = 1;
        }
      }
    }
  }
  await rm(root, { recursive: true });
  directories += count.directories;
  const { directories: own, files, error, warning } = count;
  process.stdout.write(
    `${name}: ${own} directories, ${files} files, ${error} errors, ${warning} warnings\n`,
  );
}

async function projects(root: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const each of glob(`**/{${marks.join(",")}}`, {
    cwd: root,
    exclude: (name) => name === "node_modules",
  })) {
    found.add(path.join(root, path.dirname(each)));
  }
  return [...found].toSorted();
}

async function check(directory: string): Promise<readonly Checked[]> {
  const data = path.join(folder, "data");
  const flags = ["config", "check", "--json", "-C", directory, "--data-dir", data];
  // It exits with 1 where it found an error, which is not one of ours.
  const stdout = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ["bin/haft.cjs", ...flags],
      { env: { ...process.env, HOME: folder }, maxBuffer: 64_000_000 },
      (_error, output) => resolve(output),
    );
  });
  try {
    const files: readonly Checked[] = JSON.parse(stdout);
    return files;
  } catch {
    process.stdout.write(`The check of ${path.relative(folder, directory)} failed.\n`);
    process.exitCode = 1;
    return [];
  }
}
