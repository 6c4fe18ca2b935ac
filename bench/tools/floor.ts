import { spawn } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { lstat, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import type { Subject } from "./subject.ts";

/** Lines after which ripgrep is stopped, as many as haft shows. */
const cap = 250;
const chunkBytes = 1_048_576;

/** The least work possible: spawned ripgrep, plain loops in Node, a plain spawn. No tools, no checks. */
export function openFloor(workspace: string): Subject {
  const grep = async (pattern: string): Promise<string> =>
    lines(["--no-config", "-n", "--hidden", "-g!.git", pattern, "./"], cap);
  return {
    grep,
    confinedGrep: grep,
    async glob(pattern) {
      const found = await lines(
        ["--no-config", "--files", "--hidden", "-g!.git", "-g", pattern],
        Infinity,
      );
      const files = found.split("\n").filter((file) => file !== "");
      const dated: { file: string; time: number; size: number }[] = [];
      for (let from = 0; from < files.length; from += 64) {
        const part = files.slice(from, from + 64);
        const stats = await Promise.all(part.map((file) => lstat(path.join(workspace, file))));
        for (const [index, { mtimeMs: time, size }] of stats.entries()) {
          dated.push({ file: part[index] ?? "", time, size });
        }
      }
      const newest = dated.toSorted((one, other) => other.time - one.time).slice(0, 100);
      return newest.map(({ file, size }) => `${file}\t${size}`).join("\n");
    },
    async read(file, { offset, limit }) {
      return offset === 1 && limit <= 50
        ? (await readFile(file, "utf8")).split("\n").slice(0, limit).join("\n")
        : page(file, offset, limit);
    },
    async edit(file, { from, to }) {
      const text = await readFile(file, "utf8");
      const at = text.indexOf(from);
      await writeFile(`${file}.new`, text.slice(0, at) + to + text.slice(at + from.length));
      await rename(`${file}.new`, file);
      return "edited";
    },
    bash,
    confined: bash,
    close: async () => undefined,
  };

  async function bash(command: string): Promise<string> {
    return output(["/bin/bash", "--norc", "--noprofile", "-c", command], Infinity);
  }

  async function lines(options: readonly string[], most: number): Promise<string> {
    return output([rgPath, ...options], most);
  }

  /** Keeps the first 30,000 characters where there is no line limit, and only counts the rest. */
  async function output(argv: readonly string[], mostLines: number): Promise<string> {
    const [program = "", ...parameters] = argv;
    const child = spawn(program, parameters, {
      cwd: workspace,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const isListing = program === rgPath;
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let seen = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      if (isListing || keptBytes < 30_000) {
        kept.push(chunk);
        keptBytes += chunk.length;
      }
      if (mostLines === Infinity) continue;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) seen += 1;
      if (seen <= mostLines) continue;
      child.kill("SIGKILL");
      break;
    }
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => {
        child.once("exit", resolve);
      });
    }
    const text = Buffer.concat(kept).toString();
    return mostLines === Infinity ? text : text.split("\n").slice(0, mostLines).join("\n");
  }
}

/** Some lines of a file of any size, by a loop over its line breaks. */
function page(file: string, offset: number, limit: number): string {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let line = 1;
    let text = "";
    for (
      let length = readSync(descriptor, chunk);
      length > 0;
      length = readSync(descriptor, chunk)
    ) {
      let from = 0;
      while (line < offset) {
        const at = chunk.indexOf(10, from);
        if (at === -1 || at >= length) break;
        line += 1;
        from = at + 1;
      }
      if (line < offset) continue;
      text += chunk.toString("utf8", from, length);
      const wanted = text.split("\n");
      if (wanted.length > limit) return wanted.slice(0, limit).join("\n");
    }
    return text;
  } finally {
    closeSync(descriptor);
  }
}
