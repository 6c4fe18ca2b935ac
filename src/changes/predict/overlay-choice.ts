import { isWithin, joinPath, madeOnce } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import type { LockedFile, Overlay, RememberedOverlay, Sandbox } from "../../sandbox/index.ts";

/** What becomes of the changes that commands make: kept so that they can be taken back, shown first, or not looked at. */
export type OverlayMode = "undo" | "preview" | "off";

/** Written again by those who wrote them, and too large to keep: undo leaves them out. */
export const defaultThrough: readonly string[] = [
  "node_modules",
  ".venv",
  "venv",
  "target",
  ".gradle",
  ".next",
  ".turbo",
];

/** Where commands that may change anything are run, for a kit and those derived from it. */
export interface CommandOverlays {
  readonly mode: OverlayMode;
  /** Why they run on the real tree; undefined where they run on an overlay of it. */
  readonly unavailable: (effects?: readonly Effect[]) => Promise<string | undefined>;
  /** Why there are no overlays here, whether or not commands are to use them. */
  missing(): Promise<string | undefined>;
  /** An overlay for one program with these effects; `through` in place of the folders that programs change directly. */
  prepare(
    sandbox: Sandbox | undefined,
    options?: { readonly through?: readonly string[]; readonly effects?: readonly Effect[] },
  ): Promise<Overlay>;
  /** Those of some paths that are files which a running program has locked. */
  locked(paths: readonly string[]): Promise<readonly LockedFile[]>;
  /** The folders that programs change directly, where they are there. */
  readonly through: readonly string[];
  /** The folders that programs may change. */
  readonly roots: readonly string[];
  /** Whether what a program changes at a path is kept apart at first. */
  covers(path: string): boolean;
  /** The same, but for what programs change directly even so. */
  staged(): Promise<(path: string) => boolean>;
  /** How what a process that is gone did not finish is finished, on this host: it may still need its overlay. */
  recoverBy(where: Host, recover: () => Promise<unknown>): void;
  /** What lies inside of what they cover and is not covered: other file systems that are mounted there. */
  uncovered(): Promise<readonly string[]>;
  /** Takes away everything that is left; what ran on them has ended before. */
  dispose(): Promise<void>;
}

/** Directories of the kit, and what counts as inside of the workspace. */
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

  /** Takes away what processes that are gone have left, where none of it is needed any more. */
  async function tidy(directory: string): Promise<void> {
    if (recovery === undefined) return;
    try {
      await recovery();
    } catch {
      // Whoever applies something finds out why; until then it stays.
      return;
    }
    const { dropStaging, dropStale } = await import("../../sandbox/index.ts");
    // A leftover that stays must not cost a command its overlay.
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
      // Where a person is to see it first, it is kept apart after all.
      const [busy] = mode === "undo" ? await removed(effects) : [];
      if (busy !== undefined) return `It takes away ${busy}, which commands change directly.`;
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
      // Another toolkit, ended meanwhile, may have taken it away empty.
      await keepStaging(staging);
      const apart = mode === "preview" ? await removed(effects) : [];
      const overlay = await prepareOverlay({
        roots: await covered(),
        staging,
        through: throughPaths(through).filter((path) => !apart.includes(path)),
        // What the program may see of the environment the host has settled already.
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
