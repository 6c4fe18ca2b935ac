import { globSync } from "tinyglobby";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Every page that is written for readers of this repository, relative to its root. */
export const pages: readonly string[] = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
}).toSorted();

export interface CodeBlock {
  readonly page: string;
  /** Of its first line of code. */
  readonly line: number;
  readonly language: string;
  /** Words after the language. */
  readonly marks: readonly string[];
  readonly code: string;
}

export function textOf(page: string): string {
  return readFileSync(path.join(root, page), "utf8");
}

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const text = textOf(page);
  const fence = /^```(?<info>[^\n`]+)\n(?<code>[\s\S]*?)^```$/gmu;
  for (const match of text.matchAll(fence)) {
    const { info = "", code = "" } = match.groups ?? {};
    const [language = "", ...marks] = info.trim().split(/\s+/u);
    const line = text.slice(0, match.index).split("\n").length + 1;
    blocks.push({ page, line, language, marks, code });
  }
  return blocks;
}

/** The rows of every table of a page, cells without their backticks. */
export function tableRows(page: string): readonly (readonly string[])[] {
  return textOf(page)
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[\s|:-]+\|$/u.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** Texts in backticks. */
export function codeWords(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/gu)].map(([, word = ""]) => word);
}
