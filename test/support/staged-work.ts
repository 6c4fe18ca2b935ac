/**
 * A folder with files and what a command did to them on an overlay. Run by itself, it applies that or undoes it in
 * a process that is killed just before its n-th operation that changes something:
 *
 *   node staged-work.ts <folder> apply|undo|redo <n>
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { HostAppender, HostFs, StagedChange, StagedChanges } from "../../src/core/index.ts";
import { isRunningProcess, localHost, ownProcess } from "../../src/host/index.ts";
import { createJournal, type Journal, type JournalOptions } from "../../src/journal/index.ts";

export const work = (folder: string): string => path.join(folder, "work");
export const stage = (folder: string): string => path.join(folder, "stage");
const large = "x".repeat(100_000);

/** Makes both and returns what the command did. */
export function plantWork(folder: string): StagedChanges {
  const put = (name: string, content: string, mode = 0o644): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
    utimesSync(file, 1_700_000_000, 1_700_000_000.25);
  };
  for (const [index, name] of ["a.txt", "b.txt", "old/c.txt", "old/deep/d.txt", "e"].entries()) {
    put(`work/${name}`, `${name} ${index}\n`, index % 2 === 0 ? 0o644 : 0o755);
  }
  put("work/large", `old${large}`);
  put("work/mode.sh", "#!/bin/sh\n", 0o644);
  symlinkSync("a.txt", path.join(work(folder), "link"));
  mkdirSync(path.join(work(folder), "empty"), { mode: 0o700 });
  mkdirSync(path.join(work(folder), "bare"));
  const file = (name: string, content: string, mode = 0o644): StagedChange => {
    const source = path.join(stage(folder), name.replaceAll("/", "+"));
    put(path.relative(folder, source), content, mode);
    const { mtimeMs, size } = lstatSync(source);
    return {
      path: path.join(work(folder), name),
      to: { kind: "file", source, size, mode, mtimeMs },
    };
  };
  const gone = (name: string): StagedChange => ({
    path: path.join(work(folder), name),
    to: { kind: "absent" },
  });
  const made = (name: string, mode: number): StagedChange => ({
    path: path.join(work(folder), name),
    to: { kind: "directory", mode },
  });
  const changes = [
    file("a.txt", "changed\n", 0o600),
    gone("b.txt"),
    gone("old"),
    gone("old/c.txt"),
    gone("old/deep"),
    gone("old/deep/d.txt"),
    made("e", 0o755),
    file("e/inside", "inside\n", 0o600),
    file("large", `new${large}`),
    file("mode.sh", "#!/bin/sh\n", 0o755),
    { path: path.join(work(folder), "link"), to: { kind: "symlink", target: "e" } } as const,
    gone("empty"),
    file("bare/filled", "filled\n"),
    made("made", 0o750),
    file("made/one", "one\n"),
    file("made/two", "two\n"),
  ];
  return { since: Date.now(), changes, refused: [], through: [] };
}

/** Kind, mode, time and content of everything below a folder, by path. */
export function treeOf(folder: string, below: string = folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(below).toSorted()) {
    const entry = path.join(below, name);
    const stats = lstatSync(entry);
    const mode = (stats.mode & 0o7777).toString(8);
    const key = path.relative(folder, entry);
    if (stats.isSymbolicLink()) found[key] = `-> ${readlinkSync(entry)}`;
    else if (stats.isDirectory())
      Object.assign(found, { [key]: `${mode}/` }, treeOf(folder, entry));
    else {
      const time = Math.floor(stats.mtimeMs * 1000) / 1000;
      const content = readFileSync(entry);
      found[key] = `${mode} ${time} ${content.subarray(0, 20).toString()} ${crc32(content)}`;
    }
  }
  return found;
}

/** A journal of the folder; `enter` comes before every operation that changes something. */
export async function openWork(
  folder: string,
  enter: () => void = () => undefined,
  { quota = {}, turns }: Pick<JournalOptions, "quota" | "turns"> = {},
): Promise<{ readonly journal: Journal; readonly close: () => Promise<void> }> {
  const host = await localHost({ launching: { helper: "never" } });
  const counted = (fs: HostFs): HostFs =>
    new Proxy(fs, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== "function") return method;
        return async (...given: unknown[]): Promise<unknown> => {
          if (changing.has(key)) enter();
          const result: unknown = await Reflect.apply(method, target, given);
          return key === "appender" ? countedAppender(result as HostAppender) : result;
        };
      },
    });
  const countedAppender = (appender: HostAppender): HostAppender => ({
    append: async (data, options) => {
      enter();
      await appender.append(data, options);
    },
    close: () => appender.close(),
  });
  const fs = new Proxy(host.fs, {
    get: (target, key) =>
      key === "list" ? target.list.bind(target) : Reflect.get(counted(target), key),
  });
  const own = ownProcess();
  const journal = createJournal({
    host: { fs, clock: host.clock },
    processes: own === undefined ? undefined : { own, isRunning: isRunningProcess },
    turns,
    directory: path.join(folder, "journal"),
    quota,
  });
  return {
    journal,
    close: async () => {
      await journal.close();
      await host[Symbol.asyncDispose]();
    },
  };
}

const changing: ReadonlySet<string | symbol> = new Set([
  "writeAtomic",
  "append",
  "appender",
  "mkdir",
  "remove",
  "removeEmpty",
  "move",
  "makeLink",
  "setMode",
  "setModified",
]);

const [program, folder = "", act, killedAt] = process.argv.slice(1);
if (program === import.meta.filename && killedAt !== undefined) {
  let left = Number(killedAt);
  const { journal, close } = await openWork(folder, () => {
    left -= 1;
    if (left < 0) process.kill(process.pid, "SIGKILL");
  });
  if (act === "undo") await journal.undo({ last: 1 });
  else if (act === "redo") await journal.redo();
  else {
    const staged: unknown = JSON.parse(readFileSync(path.join(folder, "staged.json"), "utf8"));
    await journal.apply("1", staged as StagedChanges, { tool: "Bash" });
  }
  await close();
}
