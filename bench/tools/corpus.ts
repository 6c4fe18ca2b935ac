import { once } from "node:events";
import { createWriteStream, existsSync, globSync, mkdirSync, realpathSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Everything the rows work on, made on first use. */
export interface World {
  /** A project of many files: 8,000 or 100,000. */
  readonly project: string;
  /** A log of 9.2 million lines, 1.08 GB. */
  readonly log: string;
  /** 200 lines. */
  readonly small: string;
  /** 10 MB of source. */
  readonly large: string;
  /** Of the project. */
  readonly ten: readonly string[];
}

export type CorpusSize = "medium" | "big";

export const rareWord = "haftRareNeedle";
export const rareFiles = 3;
export const logLines = 9_200_000;
const counts: Readonly<Record<CorpusSize, number>> = { medium: 8000, big: 100_000 };
const version = "3";

/** Names that searches leave out are changed, so that every subject has the same files to look at. */
const renamed = new Map([
  ["node_modules", "packages"],
  ["dist", "output"],
  ["build", "make"],
  ["vendor", "others"],
]);

/** Copies of installed packages' files in `.cache/corpus-<size>`, and generated files next to them. */
export async function makeWorld(size: CorpusSize): Promise<World> {
  mkdirSync(".cache", { recursive: true });
  const cache = realpathSync(".cache");
  const root = path.join(cache, `corpus-${size}`);
  const project = path.join(root, "project");
  const world = {
    project,
    log: path.join(cache, "corpus-log", "server.log"),
    small: path.join(project, "bench-small.ts"),
    large: path.join(project, "bench-large.ts"),
  };
  const mark = path.join(root, `made-${version}.json`);
  if (!existsSync(mark)) {
    await rm(root, { recursive: true, force: true });
    const files = await copyFiles(project, counts[size]);
    await plantFiles(world);
    await writeFile(mark, JSON.stringify(files.slice(100, 110)));
  }
  if (!existsSync(`${world.log}.made`)) await writeLog(world.log);
  const ten: unknown = JSON.parse(await readFile(mark, "utf8"));
  if (!Array.isArray(ten)) throw new TypeError(`${mark} does not list files.`);
  return { ...world, ten: ten.map(String) };
}

async function copyFiles(project: string, count: number): Promise<string[]> {
  const sources = sourceFiles();
  const made: string[] = [];
  for (let copy = 0; made.length < count; copy += 1) {
    for (const source of sources) {
      if (made.length >= count) break;
      const target = path.join(project, `part${copy}`, renamedPath(source));
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(source, target);
      made.push(target);
    }
  }
  return made;
}

/** Source, documents and data, no binaries. */
function sourceFiles(): string[] {
  const found = globSync(["node_modules/**/*", ".cache/-*/node_modules/**/*"], {
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return found.filter((file) => /\.(?:ts|js|mjs|json|md)$/u.test(file)).toSorted();
}

function renamedPath(source: string): string {
  const below = path.relative(".", source).replace(/^\.cache\//u, "peers/");
  return below
    .split(path.sep)
    .map((name) => renamed.get(name) ?? name)
    .join(path.sep);
}

async function plantFiles({ project, small, large }: Omit<World, "ten" | "log">): Promise<void> {
  for (const folder of ["objects", "refs"]) {
    await mkdir(path.join(project, ".git", folder), { recursive: true });
  }
  await writeFile(path.join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  const rules = ["node_modules", "dist/", "*.log", "/coverage", ".env*", "!.env.example", "tmp/**"];
  await writeFile(path.join(project, ".gitignore"), `${rules.join("\n")}\n`);
  for (let index = 0; index < rareFiles; index += 1) {
    const file = path.join(project, `rare${index}`, "deep", "file.ts");
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `export const ${rareWord} = ${index};\n`);
  }
  await writeFile(small, sourceText(200));
  await writeFile(large, sourceText(205_000));
}

function sourceText(lines: number): string {
  return `${Array.from({ length: lines }, (_, index) => sourceLine(index + 1)).join("\n")}\n`;
}

/** A line of the generated sources, from 1. */
export function sourceLine(line: number): string {
  return `export const value${line} = compute(${line - 1}); // line ${line}`;
}

async function writeLog(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const stream = createWriteStream(file);
  for (let first = 1; first <= logLines; first += 50_000) {
    const lines: string[] = [];
    for (let line = first; line < first + 50_000 && line <= logLines; line += 1) {
      lines.push(
        `2026-11-01T10:00:00Z INFO request ${line} served in ${line % 977} ms, ${"x".repeat(50)}`,
      );
    }
    if (!stream.write(`${lines.join("\n")}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
  await writeFile(`${file}.made`, "");
}
