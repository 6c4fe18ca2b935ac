import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Model } from "../../src/agent/index.ts";
import type * as Haft from "../../src/index.ts";

/** Rounds of each measurement; the least counts, because other programs only add time. */
const rounds = 5;
const files = 8000;
const idle = 20;

interface ChildTimes {
  /** Milliseconds from the call to the first request of the child's model. */
  readonly startMs: number;
  /** The same for a child in a worktree, and for `git worktree add` alone. */
  readonly worktreeMs: number;
  readonly gitMs: number;
}

/** Model that tells when it is asked, and answers at once or never. */
function askedModel(answers: boolean): { readonly model: Model; asked: () => void } {
  const own = {
    asked: (): void => undefined,
    model: {
      id: "fake:asked",
      async *stream(_request: unknown, { signal }: { readonly signal?: AbortSignal } = {}) {
        own.asked();
        if (!answers) {
          await new Promise((_resolve, reject) =>
            signal?.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        }
        yield { type: "text", text: "Done." } as const;
        yield { type: "finish", reason: "stop" } as const;
      },
    } satisfies Model,
  };
  return own;
}

async function built(): Promise<typeof Haft> {
  return (await import(new URL("../../dist/index.js", import.meta.url).href)) as typeof Haft;
}

/** Measures the start of a child, in the workspace and in a worktree of 8,000 files. */
export async function childTimes(): Promise<ChildTimes> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-bench-")));
  const before = process.env["HOME"];
  process.env["HOME"] = path.join(folder, "home");
  try {
    mkdirSync(path.join(folder, "home"));
    const root = largeRepository(folder);
    const { createToolkit } = await built();
    const own = askedModel(true);
    const kit = await createToolkit({
      workspace: root,
      dataDirectory: path.join(folder, "data"),
      mode: "bypassPermissions",
      model: own.model,
    });
    const start = async (isWorktree: boolean): Promise<number> => {
      const from = performance.now();
      let ms = 0;
      own.asked = () => (ms = performance.now() - from);
      const { status, error } = await kit.agents.start({ prompt: "work", isWorktree });
      if (status !== "done") throw new Error(error?.message);
      return ms;
    };
    const times = { start: [] as number[], worktree: [] as number[], git: [] as number[] };
    for (let round = -1; round < rounds; round += 1) {
      const measured = [await start(false), gitWorktree(root, folder), await start(true)] as const;
      if (round < 0) continue;
      times.start.push(measured[0]);
      times.git.push(measured[1]);
      times.worktree.push(measured[2]);
    }
    await kit.dispose();
    return {
      startMs: Math.min(...times.start),
      worktreeMs: Math.min(...times.worktree),
      gitMs: Math.min(...times.git),
    };
  } finally {
    if (before !== undefined) process.env["HOME"] = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(directory: string, ...words: readonly string[]): void {
  execFileSync("git", ["-C", directory, ...words], { stdio: "ignore" });
}

function largeRepository(folder: string): string {
  const root = path.join(folder, "repo");
  for (let number = 0; number < files; number += 1) {
    const below = path.join(root, `d${number % 80}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(path.join(below, `f${number}.txt`), `file ${number}\n`.repeat(40));
  }
  git(folder, "init", "-q", root);
  git(root, "config", "user.name", "bench");
  git(root, "config", "user.email", "bench@example.invalid");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "files");
  return root;
}

function gitWorktree(root: string, folder: string): number {
  const target = path.join(folder, "tree");
  const from = performance.now();
  git(root, "worktree", "add", "-q", "-b", "bench", target);
  const ms = performance.now() - from;
  git(root, "worktree", "remove", "--force", target);
  git(root, "branch", "-q", "-D", "bench");
  return ms;
}

/** MiB that 20 children keep which wait for their model, after one that loaded the code. */
export async function idleMemory(collect: () => void): Promise<number> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-bench-")));
  const { createToolkit } = await built();
  const own = askedModel(false);
  mkdirSync(path.join(folder, "work"));
  const kit = await createToolkit({
    workspace: path.join(folder, "work"),
    dataDirectory: path.join(folder, "data"),
    model: own.model,
  });
  const start = async (count: number): Promise<void> => {
    let waiting = count;
    const { promise, resolve } = Promise.withResolvers<void>();
    own.asked = () => {
      waiting -= 1;
      if (waiting === 0) resolve();
    };
    for (let each = 0; each < count; each += 1) {
      await kit.agents.start({ prompt: "work", isBackground: true });
    }
    await promise;
  };
  await start(1);
  collect();
  const before = process.memoryUsage();
  await start(idle - 1);
  collect();
  const after = process.memoryUsage();
  await kit.dispose();
  rmSync(folder, { recursive: true, force: true });
  const grown = Math.max(after.heapUsed - before.heapUsed, after.rss - before.rss);
  return ((grown / 2 ** 20) * idle) / (idle - 1);
}
