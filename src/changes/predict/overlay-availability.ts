import { joinPath } from "../../text/index.ts";
import type { Effect, Host } from "../../core/index.ts";
import type { RememberedOverlay } from "../../sandbox/index.ts";

/** How changes of commands are handled: stored so that they can be undone, previewed first, or not tracked. */
export type OverlayMode = "undo" | "preview" | "off";

/** Facts for the question whether overlays work on this machine. */
export interface OverlayMachine {
  readonly host: Host;
  readonly workspace: string;
  readonly dataDirectory: string;
  /** Lists the directories that an overlay covers. */
  readonly covered: () => Promise<readonly string[]>;
}

/** The private directory for overlays, and the stored result of the probe. */
export interface OverlayStorage {
  readonly staging: string;
  readonly remembered: RememberedOverlay;
}

/**
 * Returns why overlays do not work on this machine, or undefined if they do. Rejects if they only failed this time, as
 * where the disk is full. `onStorage` is called before the probe, which may throw, so that the caller can remove the
 * directory in any case.
 */
export async function whyNoOverlays(
  { host, workspace, dataDirectory, covered }: OverlayMachine,
  onStorage: (storage: OverlayStorage) => void,
): Promise<string | undefined> {
  if (host.info.os !== "linux" || host.info.capabilities.confinement !== true) {
    return "Overlays work only on Linux.";
  }
  const { missingText, rememberedOverlay, stagingFor, transientError } =
    await import("../../sandbox/index.ts");
  const roots = await covered();
  const staging = await stagingFor({ workspace, dataDirectory, roots }).catch((error: unknown) => {
    throw transientError(error, { what: "the overlay", directory: dataDirectory });
  });
  if (staging === undefined) return "There is no private directory on the workspace's file system.";
  const file = joinPath(dataDirectory, "overlay.json");
  const remembered = rememberedOverlay(file, { directory: staging });
  onStorage({ staging, remembered });
  const missing = await remembered.probe();
  return missing === undefined ? undefined : missingText(missing);
}

/** Facts for the question whether one command can run on an overlay. */
export interface OverlayCommand {
  readonly mode: OverlayMode;
  readonly host: Host;
  readonly workspace: string;
  /** Returns why overlays do not work on this machine. */
  readonly missing: () => Promise<string | undefined>;
  /** Lists the directories that the command removes and that programs write directly. */
  readonly removed: (effects: readonly Effect[]) => Promise<readonly string[]>;
}

/**
 * Returns why a command with these effects has to run on the real files, or undefined if it runs on an overlay. Rejects
 * if an overlay only failed this time.
 */
export async function whyRealFiles(
  effects: readonly Effect[],
  { mode, host, workspace, missing, removed }: OverlayCommand,
): Promise<string | undefined> {
  if (mode === "off") return "It was switched off.";
  const because = await missing();
  if (because !== undefined) return because;
  // In preview mode the directory is staged as well, see `prepare`.
  const [busy] = mode === "undo" ? await removed(effects) : [];
  if (busy !== undefined) return `It removes ${busy}, which commands change directly.`;
  const { overlayForm } = await import("../../sandbox/index.ts");
  if (overlayForm() === "mount") return undefined;
  const { movesDirectories } = await import("./predict-moves.ts");
  if (!(await movesDirectories(effects, { host, workspace }))) return undefined;
  return "It may rename directories, which overlays of an ordinary user do not support.";
}
