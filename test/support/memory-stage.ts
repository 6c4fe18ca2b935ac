import type { HostFs, StagedChange, StagedChanges } from "../../src/core/index.ts";
import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../../src/host/index.ts";
import {
  createJournal,
  type JournalEntry,
  type Journal,
  type JournalOptions,
} from "../../src/journal/index.ts";

export const directory = "/data/journal";
export const stage = "/stage";

export interface World {
  readonly host: MemoryHost;
  readonly fs: HostFs;
  readonly journal: Journal;
  /** A file of the stage, ready to be moved to this path of the project. */
  readonly file: (path: string, content: string, mode?: number) => StagedChange;
  readonly apply: (
    changes: readonly StagedChange[],
    more?: Partial<StagedChanges>,
  ) => Promise<JournalEntry | undefined>;
  /** Contents of the project and of the stage, by path. */
  readonly seen: () => Promise<Record<string, string>>;
}

export const at = (path: string): string => `/project/${path}`;
export const gone = (path: string): StagedChange => ({ path: at(path), to: { kind: "absent" } });
export const folder = (path: string, mode = 0o755): StagedChange => ({
  path: at(path),
  to: { kind: "directory", mode },
});
export const link = (path: string, target: string): StagedChange => ({
  path: at(path),
  to: { kind: "symlink", target },
});

/** Everything in the project is old when the command starts, and what it left is newer. */
export function world(
  files: NonNullable<MemoryHostOptions["files"]> = {},
  options: Partial<JournalOptions> = {},
): World {
  const host = memoryHost({ files, root: "/project" });
  host.control.plant(`${stage}/.here`, { kind: "file", content: "" });
  host.control.plant("link", { kind: "symlink", target: "a.txt" });
  const journal = createJournal({ host, directory, ...options });
  host.control.advance(10_000);
  const since = host.clock.now();
  host.control.advance(1000);
  return {
    host,
    fs: host.fs,
    journal,
    file: (path, content, mode = 0o644) => {
      const source = `${stage}/${path.replaceAll("/", "+")}`;
      const mtimeMs = since + 500;
      host.control.plant(source, { kind: "file", content, mode, mtimeMs });
      return {
        path: at(path),
        to: { kind: "file", source, size: content.length, mode, mtimeMs },
      };
    },
    apply: (changes, more = {}) =>
      journal.apply(
        "1",
        { since, changes, refused: [], through: [], ...more },
        { tool: "Bash", title: "make" },
      ),
    seen: async () => {
      const found: Record<string, string> = {};
      const visit = async (path: string): Promise<void> => {
        for await (const { name, kind } of host.fs.list(path)) {
          const entry = `${path}/${name}`;
          const { mode, mtimeMs } = await host.fs.stat(entry);
          if (kind === "symlink") found[entry] = `-> ${await host.fs.readLink(entry)}`;
          else if (kind === "directory") {
            found[entry] = `${mode.toString(8)}/`;
            await visit(entry);
          } else {
            const text = host.control.texts()[entry] ?? "";
            found[entry] = `${mode.toString(8)} ${text} ${mtimeMs - since}`;
          }
        }
      };
      for (const root of ["/project", stage]) await visit(root);
      return found;
    },
  };
}
