import { isWithin, madeOnce } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import type { LockedFile, Overlay, RememberedOverlay, Sandbox } from "../../sandbox/index.ts";
import { whyNoOverlays, whyRealFiles, type OverlayMode } from "./overlay-availability.ts";

/** Directories that tools can write again and that are too large to store: undo leaves them out. */
export const defaultPassthrough: readonly string[] = [
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
  /**
   * Why commands run on the real tree; undefined if they run on an overlay of it. Rejects if an overlay only failed
   * this time: then no command that needs one starts.
   */
  readonly unavailable: (effects?: readonly Effect[]) => Promise<string | undefined>;
  /** Why overlays do not work here, whether or not commands are to use them. */
  missing(): Promise<string | undefined>;
  /**
   * Creates an overlay for one program with these effects; `passthrough` replaces the list of directories that
   * programs write directly. Rejects with UNAVAILABLE that is not retryable only if overlays do not work on this
   * machine; after any other failure, the next call tries again whether they do.
   */
  prepare(
    sandbox: Sandbox | undefined,
    options?: { readonly passthrough?: readonly string[]; readonly effects?: readonly Effect[] },
  ): Promise<Overlay>;
  /** Returns those of the paths that are files which a running program has locked. */
  locked(paths: readonly string[]): Promise<readonly LockedFile[]>;
  /** Directories that programs write directly instead of on the overlay, if they exist. */
  readonly passthrough: readonly string[];
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
export interface OverlayDirectories {
  readonly workspace: string;
  readonly dataDirectory: string;
  readonly boundary: { readonly roots: readonly string[] };
}

export interface OverlaySettings {
  readonly overlay?: OverlayMode;
  readonly passthrough?: readonly string[];
}

export function commandOverlays(
  host: Host,
  { workspace, dataDirectory, boundary }: OverlayDirectories,
  { overlay: mode = "undo", passthrough: heavy = defaultPassthrough }: OverlaySettings = {},
): CommandOverlays {
  const open = new Set<Overlay>();
  let staging: string | undefined;
  let remembered: RememberedOverlay | undefined;
  let finding: Promise<string | undefined> | undefined;
  let recovery: (() => Promise<unknown>) | undefined;
  let tidying: Promise<void> | undefined;

  async function find(): Promise<string | undefined> {
    return await whyNoOverlays({ host, workspace, dataDirectory, covered }, (storage) => {
      ({ staging, remembered } = storage);
    });
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
    const trees = coveredTrees({ roots: await covered(), through: [] });
    return trees.through.map(({ path }) => path);
  }

  const covers = (path: string): boolean => boundary.roots.some((root) => isWithin(root, path));
  const passthroughPaths = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => boundary.roots.map((root) => `${root}/${name}`));
  let findOnce = madeOnce(find);
  const missing = async (): Promise<string | undefined> => await (finding = findOnce());
  const removed = async (effects: readonly Effect[]): Promise<readonly string[]> => {
    const { removedThrough } = await import("./predict-removals.ts");
    return await removedThrough(effects, passthroughPaths(heavy), { host, workspace });
  };
  return {
    mode,
    roots: boundary.roots,
    passthrough: passthroughPaths(heavy),
    missing,
    unavailable: async (effects = []) =>
      await whyRealFiles(effects, { mode, host, workspace, missing, removed }),
    async prepare(sandbox, { passthrough = heavy, effects = [] } = {}) {
      const because = await missing();
      if (because !== undefined || staging === undefined) {
        throw new ToolError("UNAVAILABLE", `No overlay can be used here: ${because}`, {
          retryable: false,
        });
      }
      await (tidying ??= tidy(staging));
      const { isUnfit, keepStaging, prepareOverlay, transientError } =
        await import("../../sandbox/index.ts");
      // Another toolkit that has ended since may have removed the empty directory.
      await keepStaging(staging);
      const apart = mode === "preview" ? await removed(effects) : [];
      const directory = staging;
      const roots = await covered();
      const overlay = await prepareOverlay({
        roots,
        staging,
        through: passthroughPaths(passthrough).filter((path) => !apart.includes(path)),
        // The host has already chosen the environment of the program.
        environment: {},
        journal: dataDirectory,
        ...(sandbox === undefined ? {} : { sandbox }),
      }).catch(async (error: unknown) => {
        await remembered?.forget();
        findOnce = madeOnce(find);
        if (isUnfit(error, roots)) throw error;
        throw transientError(error, { what: "the overlay", directory });
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
      const direct = [...passthroughPaths(heavy), ...(await uncovered())];
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
