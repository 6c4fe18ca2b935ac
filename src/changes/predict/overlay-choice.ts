import { isWithin, joinPath, madeOnce } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import type { LockedFile, Overlay, RememberedOverlay, Sandbox } from "../../sandbox/index.ts";

/** How changes of commands are handled: stored so that they can be undone, previewed first, or not tracked. */
export type OverlayMode = "undo" | "preview" | "off";

/** Directories that tools can write again and that are too large to store: undo leaves them out. */
export const defaultThrough: readonly string[] = [
  "node_modules",
  ".venv",
  "venv",
  "target",
  ".gradle",
  ".next",
  ".turbo",
];

/** Overlays for commands that may change anything, shared by a kit and those derived from it. */
export interface CommandOverlays {
  readonly mode: OverlayMode;
  /** Why commands run on the real tree; undefined if they run on an overlay of it. */
  readonly unavailable: (effects?: readonly Effect[]) => Promise<string | undefined>;
  /** Why overlays do not work here, whether or not commands are to use them. */
  missing(): Promise<string | undefined>;
  /**
   * Creates an overlay for one program with these effects; `through` replaces the list of directories that programs
   * write directly.
   */
  prepare(
    sandbox: Sandbox | undefined,
    options?: { readonly through?: readonly string[]; readonly effects?: readonly Effect[] },
  ): Promise<Overlay>;
  /** Returns those of the paths that are files which a running program has locked. */
  locked(paths: readonly string[]): Promise<readonly LockedFile[]>;
  /** Directories that programs write directly instead of on the overlay, if they exist. */
  readonly through: readonly string[];
  /** Directories that programs may change. */
  readonly roots: readonly string[];
  /** Whether changes below a path are staged on the overlay at first. */
  covers(path: string): boolean;
  /** Returns a test like `covers` that excludes the paths programs write directly. */
  staged(): Promise<(path: string) => boolean>;
  /** Sets how interrupted work of ended processes is completed on this host: it may still need its overlay. */
  recoverBy(where: Host, recover: () => Promise<unknown>): void;
  /** Lists paths inside the covered directories that are not covered: other file systems mounted there. */
  uncovered(): Promise<readonly string[]>;
  /** Removes all remaining overlays; call it after the programs that ran on them have ended. */
  dispose(): Promise<void>;
}

/** Directories of the kit, and the roots that count as inside the workspace. */
export interface OverlayPlace {
  readonly workspace: string;
  readonly dataDirectory: string;
  readonly boundary: { readonly roots: readonly string[] };
}

export interface OverlaySettings {
  readonly overlay?: OverlayMode;
  readonly through?: readonly string[];
}

export function commandOverlays(
  host: Host,
  { workspace, dataDirectory, boundary }: OverlayPlace,
  { overlay: mode = "undo", through: heavy = defaultThrough }: OverlaySettings = {},
): CommandOverlays {
  const open = new Set<Overlay>();
  let staging: string | undefined;
  let remembered: RememberedOverlay | undefined;
  let finding: Promise<string | undefined> | undefined;
  let recovery: (() => Promise<unknown>) | undefined;
  let tidying: Promise<void> | undefined;

  async function find(): Promise<string | undefined> {
    if (host.info.os !== "linux" || host.info.capabilities.confinement !== true) {
      return "There are overlays only on Linux.";
    }
    const { missingText, rememberedOverlay, stagingFor } = await import("../../sandbox/index.ts");
    staging = await stagingFor({ workspace, dataDirectory, roots: await covered() });
    if (staging === undefined) return "No private folder is on the workspace's file system.";
    const file = joinPath(dataDirectory, "overlay.json");
    remembered = rememberedOverlay(file, { directory: staging });
    const missing = await remembered.probe();
    return missing === undefined ? undefined : missingText(missing);
  }

  /** Removes what ended processes left behind, unless some of it is still needed. */
  async function tidy(directory: string): Promise<void> {
    if (recovery === undefined) return;
    try {
      await recovery();
    } catch {
      // The next apply reports why recovery fails; until then the files stay.
      return;
    }
    const { dropStaging, dropStale } = await import("../../sandbox/index.ts");
    // A leftover that cannot be removed must not cost a command its overlay.
    await dropStaging(directory).catch(() => undefined);
    await dropStale(workspace).catch(() => undefined);
  }

  async function covered(): Promise<readonly string[]> {
    const { overlayRoots } = await import("../../sandbox/index.ts");
    return [...(await overlayRoots(workspace)), ...boundary.roots];
  }

  async function uncovered(): Promise<readonly string[]> {
    const { coveredTrees } = await import("../../sandbox/index.ts");
    const trees = await coveredTrees({ roots: await covered(), through: [] });
    return trees.through.map(({ path }) => path);
  }

  const covers = (path: string): boolean => boundary.roots.some((root) => isWithin(root, path));
  const throughPaths = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => boundary.roots.map((root) => `${root}/${name}`));
  const look = madeOnce(find);
  const missing = async (): Promise<string | undefined> => await (finding = look());
  const removed = async (effects: readonly Effect[]): Promise<readonly string[]> => {
    const { removedThrough } = await import("./removes-through.ts");
    return await removedThrough(effects, throughPaths(heavy), { host, workspace });
  };
  return {
    mode,
    roots: boundary.roots,
    through: throughPaths(heavy),
    missing,
    unavailable: async (effects = []) => {
      if (mode === "off") return "It was switched off.";
      const because = await missing();
      if (because !== undefined) return because;
      // In preview mode the directory is staged as well, see `prepare`.
      const [busy] = mode === "undo" ? await removed(effects) : [];
      if (busy !== undefined) return `It removes ${busy}, which commands change directly.`;
      const { overlayForm } = await import("../../sandbox/index.ts");
      if (overlayForm() === "mount") return undefined;
      const { movesDirectories } = await import("./moves-directories.ts");
      if (!(await movesDirectories(effects, { host, workspace }))) return undefined;
      return "It may move folders in one step, which no overlay of an ordinary user does.";
    },
    async prepare(sandbox, { through = heavy, effects = [] } = {}) {
      const because = await missing();
      if (because !== undefined || staging === undefined) {
        throw new ToolError("UNAVAILABLE", `No overlay can be used here: ${because}`);
      }
      await (tidying ??= tidy(staging));
      const { keepStaging, prepareOverlay } = await import("../../sandbox/index.ts");
      // Another toolkit that has ended since may have removed the empty directory.
      await keepStaging(staging);
      const apart = mode === "preview" ? await removed(effects) : [];
      const overlay = await prepareOverlay({
        roots: await covered(),
        staging,
        through: throughPaths(through).filter((path) => !apart.includes(path)),
        // The host has already chosen the environment of the program.
        environment: {},
        journal: dataDirectory,
        ...(sandbox === undefined ? {} : { sandbox }),
      }).catch(async (error: unknown) => {
        await remembered?.forget();
        throw error;
      });
      open.add(overlay);
      return {
        ...overlay,
        async drop() {
          await overlay.drop();
          open.delete(overlay);
        },
      };
    },
    async locked(paths) {
      const { lockedFiles } = await import("../../sandbox/index.ts");
      return await lockedFiles(paths);
    },
    covers,
    async staged() {
      const direct = [...throughPaths(heavy), ...(await uncovered())];
      return (path) => covers(path) && !direct.some((other) => isWithin(other, path));
    },
    recoverBy(where, recover) {
      if (where === host) recovery ??= recover;
    },
    uncovered,
    async dispose() {
      await Promise.all(Array.from(open, async (overlay) => await overlay.drop()));
      open.clear();
      await finding?.catch(() => undefined);
      if (staging === undefined) return;
      const { leaveStaging } = await import("../../sandbox/index.ts");
      await leaveStaging(staging);
    },
  };
}
