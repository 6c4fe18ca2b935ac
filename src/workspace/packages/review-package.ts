import { baseName, visibleText } from "../../text/index.ts";
import type { Package, PackageFile } from "./package.ts";

/** A file of a package, compared with the installed version. */
export interface ReviewedFile {
  /** Path below the directory of the package. */
  readonly path: string;
  /** Size in bytes; of a removed file, that of the installed version. */
  readonly size: number;
  /** Whether it may be run as a program. */
  readonly isExecutable: boolean;
  /** Difference to the installed version; every file of a new package is added. */
  readonly change: "added" | "changed" | "unchanged" | "removed";
}

/** Text that a user does not see and a model reads. */
export interface HiddenText {
  /** Path below the directory of the package. */
  readonly path: string;
  /** Line, from 1. */
  readonly line: number;
  /** The line with its hidden characters made visible, shortened. */
  readonly text: string;
}

/** A program that a package brings: a script, or a command that a hook or a server starts. */
export interface PackageProgram {
  /** File, and for a hook or server its name in it. */
  readonly name: string;
  /** Command as a shell would run it; of a shell script, its text. */
  readonly command: string;
}

/** Maximum number of hidden texts and of characters of each that are listed. */
const hiddenLimits = { texts: 100, chars: 200 } as const;

/** Files of a package and how they differ from the installed version. */
export function reviewFiles(next: Package, before: Package | undefined): readonly ReviewedFile[] {
  const old = new Map((before?.files ?? []).map((file) => [file.path, file]));
  const files = next.files.map((file): ReviewedFile => {
    const { path, bytes, isExecutable } = file;
    const was = old.get(path);
    old.delete(path);
    const change = was === undefined ? "added" : isSame(was, file) ? "unchanged" : "changed";
    return { path, size: bytes.length, isExecutable, change };
  });
  const removed = Array.from(old.values(), ({ path, bytes, isExecutable }): ReviewedFile => ({
    path,
    size: bytes.length,
    isExecutable,
    change: "removed",
  }));
  return [...files, ...removed];
}

function isSame(one: PackageFile, other: PackageFile): boolean {
  return (
    one.isExecutable === other.isExecutable &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, index) => byte === other.bytes[index])
  );
}

/** Hidden characters in all texts, and comments of Markdown, which are not shown where Markdown is rendered. */
export function hiddenTexts({ files }: Package): readonly HiddenText[] {
  const found: HiddenText[] = [];
  for (const { path, bytes } of files) {
    if (isBinary(bytes)) continue;
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/u);
    for (const [index, line] of lines.entries()) {
      const text = hiddenIn(line, path.endsWith(".md"));
      if (text === undefined) continue;
      if (found.length === hiddenLimits.texts) return found;
      found.push({ path, line: index + 1, text: text.slice(0, hiddenLimits.chars) });
    }
  }
  return found;
}

/** Variation selectors outside of emoji: a text of any length can be written with them. */
const selectors = /[\u{E0100}-\u{E01EF}]|[\u{FE00}-\u{FE0E}]|\u{FE0F}{2,}/gu;

function hiddenIn(line: string, isMarkdown: boolean): string | undefined {
  const text = line.replace(/^\uFEFF/u, "");
  const shown = visibleText(text).replaceAll(
    selectors,
    (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
  );
  if (shown !== text) return shown.trim();
  return isMarkdown && text.includes("<!--") ? text.trim() : undefined;
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Interpreters by the ending of a script. */
const interpreters: Readonly<Record<string, string>> = {
  sh: "bash",
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  js: "node",
  cjs: "node",
  mjs: "node",
  ts: "node",
  mts: "node",
  cts: "node",
  py: "python3",
  rb: "ruby",
  pl: "perl",
  php: "php",
  lua: "lua",
  ps1: "pwsh",
  r: "Rscript",
};

const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash"]);

/** Longest script whose text is explained, in characters. */
const maxScriptChars = 100_000;

/** Scripts of a package: executable files, files that begin with `#!`, and those that an interpreter runs. */
export function scriptsOf({ files }: Package): readonly PackageProgram[] {
  return files.flatMap(({ path, bytes, isExecutable }): readonly PackageProgram[] => {
    const text = isBinary(bytes) ? "" : new TextDecoder().decode(bytes);
    const [first = ""] = text.split("\n", 1);
    const shebang = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/u.exec(first)?.[1];
    const ending = /\.(\w+)$/u.exec(path)?.[1]?.toLowerCase() ?? "";
    const known = Object.hasOwn(interpreters, ending) ? interpreters[ending] : undefined;
    const interpreter = shebang === undefined ? known : baseName(shebang);
    if (interpreter === undefined && !isExecutable) return [];
    const isShell = interpreter !== undefined && shells.has(interpreter);
    const quoted = `'./${path.replaceAll("'", String.raw`'\''`)}'`;
    const started = interpreter === undefined ? quoted : `${interpreter} ${quoted}`;
    return [{ name: path, command: isShell && text.length <= maxScriptChars ? text : started }];
  });
}
