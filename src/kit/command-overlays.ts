import { joinPath, ToolError, type Effect, type Host } from "../core/index.ts";
import type { Overlay, RememberedOverlay, Sandbox } from "../sandbox/index.ts";
import { movesDirectories } from "./moves-directories.ts";
import type { SandboxOption } from "./options.ts";
import type { Place } from "./place.ts";

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
  /** An overlay for one program. */
  prepare(sandbox: Sandbox | undefined): Promise<Overlay>;
  /** Takes away everything that is left; what ran on them has ended before. */
  dispose(): Promise<void>;
}

export function commandOverlays(
  host: Host,
  { workspace, dataDirectory, boundary }: Place,
  { overlay: mode = "undo", through = defaultThrough }: SandboxOption = {},
): CommandOverlays {
  const open = new Set<Overlay>();
  let staging: string | undefined;
  let remembered: RememberedOverlay | undefined;
  let finding: Promise<string | undefined> | undefined;

  async function find(): Promise<string | undefined> {
    if (host.info.os !== "linux" || host.info.capabilities.confinement !== true) {
      return "There are overlays only on Linux.";
    }
    const { dropStaging, rememberedOverlay, stagingFor } = await import("../sandbox/index.ts");
    staging = await stagingFor({ workspace, dataDirectory });
    if (staging === undefined) return "No private folder is on the workspace's file system.";
    await dropStaging(staging);
    const file = joinPath(dataDirectory, "overlay.json");
    remembered = rememberedOverlay(file, { directory: staging });
    const missing = await remembered.probe();
    if (missing === undefined) return undefined;
    return missing.install === undefined ? missing.reason : `${missing.reason} ${missing.install}`;
  }

  const missing = async (): Promise<string | undefined> => await (finding ??= find());
  return {
    mode,
    missing,
    unavailable: async (effects = []) => {
      if (mode === "off") return "It was switched off.";
      const because = await missing();
      if (because !== undefined) return because;
      const { overlayForm } = await import("../sandbox/index.ts");
      if (overlayForm() === "mount" || !(await movesDirectories(effects, { host, workspace }))) {
        return undefined;
      }
      return "It may move folders in one step, which no overlay of an ordinary user does.";
    },
    async prepare(sandbox) {
      const because = await missing();
      if (because !== undefined || staging === undefined) {
        throw new ToolError("UNAVAILABLE", `No overlay can be used here: ${because}`);
      }
      const { overlayRoots, prepareOverlay } = await import("../sandbox/index.ts");
      const overlay = await prepareOverlay({
        roots: [...(await overlayRoots(workspace)), ...boundary.roots],
        staging,
        through: through.flatMap((name) => boundary.roots.map((root) => `${root}/${name}`)),
        // What the program may see of the environment the host has settled already.
        environment: {},
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
    async dispose() {
      await Promise.all(Array.from(open, async (overlay) => await overlay.drop()));
      open.clear();
    },
  };
}
