import { existsSync, lstatSync, utimesSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { baseName, isWithin } from "../../text/index.ts";
import {
  ToolError,
  type Confined,
  type Confinement,
  type StagedChanges,
} from "../../core/index.ts";
import type { Sandbox } from "../sandbox.ts";
import { changeSet } from "./changes/change-set.ts";
import type { OverlayLayers } from "./changes/overlay-layers.ts";
import { startHolder, type Holder } from "./mount/mount-process.ts";
import { coveredTrees, layOut } from "./mount/layout.ts";
import { mountTable } from "./mount/mount-table.ts";
import { overlayForm, type OverlayForm } from "./mount/namespace-form.ts";
import { endNamespace } from "./mount/namespace-processes.ts";
import { overlayPrograms } from "./mount/overlay-programs.ts";
import { dropOverlay, makeOverlayDirectory } from "./staging.ts";

export interface OverlayOptions {
  /** Directories to cover, the workspace first: writes in them are staged, writes elsewhere are not. */
  readonly roots: readonly string[];
  /** Private directory outside the roots. If it is on another file system, sources cannot be renamed into the roots. */
  readonly staging: string;
  /** Sandbox that also confines the programs. */
  readonly sandbox?: Sandbox;
  /** Trees inside the roots that are written directly. Those that do not exist are ignored. */
  readonly through?: readonly string[];
  /** Environment of programs without a sandbox. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Form of the namespaces. Default: the one this process needs. */
  readonly form?: OverlayForm;
  /** Directory of the journal that may need staged files, also after this process has ended. */
  readonly journal?: string;
}

/** Overlay of the real tree for one command. */
export interface Overlay {
  /** Starts programs on the overlay, at their usual paths. */
  readonly confinement: Confinement;
  /**
   * Returns the changes. Ends all programs that still run on the overlay, and rejects with UNAVAILABLE if one cannot be
   * ended. Sources stay in place until `drop`.
   */
  changes(): Promise<StagedChanges>;
  /** Removes every mount, process and file of the overlay, whatever has happened. */
  drop(): Promise<void>;
}

/**
 * Prepares an overlay. Programs may start later: changes of other processes to the real tree before the first start are
 * visible. Rejects with UNAVAILABLE that is not retryable if the kernel, or the system, has no overlay for this user,
 * see `isLack`.
 */
export async function prepareOverlay(options: OverlayOptions): Promise<Overlay> {
  const programs = await overlayPrograms();
  if ("reason" in programs) {
    throw new ToolError("UNAVAILABLE", programs.reason, {
      hint: programs.install,
      retryable: false,
    });
  }
  const staging = await realpath(options.staging);
  const { sandbox, through: wanted = [] } = options;
  const { roots, through } = coveredTrees({
    roots: options.roots,
    through: [...wanted, ...(sandbox === undefined ? [] : [sandbox.policy.temporary])],
  });
  const around = roots.find((root) => isWithin(root, staging));
  if (around !== undefined) throw new TypeError(`${staging} lies in ${around}, which it stages.`);
  const form = options.form ?? overlayForm();
  const directory = await makeOverlayDirectory(staging, options.journal);
  const tag = baseName(directory);
  let holder: Holder | undefined;
  // No program runs on it before the first start, and none after its changes were read.
  let isQuiet = true;
  let dropped: Promise<void> | undefined;
  const dropOnce = async () => {
    await holder?.end();
    await dropOverlay(directory, { isQuiet });
  };
  const drop = async () => {
    dropped ??= dropOnce().catch((error: unknown) => {
      // A step that failed may succeed the next time.
      dropped = undefined;
      throw error;
    });
    await dropped;
  };
  try {
    layOut(directory, { roots, through });
    const paths = through.map(({ path }) => path);
    writeFileSync(`${directory}/mounts`, mountTable({ tag, form, roots, through: paths }));
    let since = momentIn(directory);
    let hasStarted = false;
    holder = await startHolder({ tag, form, programs, directory });
    const held = holder;
    const layers = roots.map((root, index): OverlayLayers => ({
      root,
      upper: `${directory}/u${index}`,
      index: `${directory}/w${index}/index`,
      merged: held.view + root,
      through: new Set(paths),
      extra: `${directory}/x${index}`,
      keepsLinks: form === "mount",
      opened: new Map(),
    }));
    return {
      confinement: {
        wrap: (argv, where) => {
          if (!hasStarted) since = momentIn(directory);
          hasStarted = true;
          isQuiet = false;
          return wrapped(held, { options, argv, ...where });
        },
      },
      changes: async () => {
        if (!(await endNamespace(tag, held.pid))) {
          throw new ToolError(
            "UNAVAILABLE",
            "A process that the command left running does not end.",
            {
              hint: "Its changes were not read; nothing has reached the workspace.",
            },
          );
        }
        isQuiet = true;
        const sets = await Promise.all(layers.map(changeSet));
        // Without the merged tree nothing of the real one would show, and all of it would be reported as removed.
        if (!held.isAlive() || !layers.every(({ merged }) => existsSync(merged))) {
          throw new ToolError("UNAVAILABLE", "The overlay is gone, so its changes are unknown.", {
            hint: "Nothing has reached the workspace. Run it again.",
          });
        }
        return {
          since,
          changes: sets.flatMap(({ changes }) => changes),
          refused: sets.flatMap(({ refused }) => refused),
          through: paths,
          aside: `${directory}/aside`,
        };
      },
      drop,
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Whether an error says that overlays do not work on this machine, and not only this time. */
export function isLack(error: unknown): boolean {
  return ToolError.is(error) && error.code === "UNAVAILABLE" && !error.retryable;
}

/**
 * Whether an overlay failed because another root than the first is on a file system that cannot be covered: the trial
 * of overlays says nothing about that one.
 */
export function isUnfit(error: unknown, [workspace = "/", ...others]: readonly string[]): boolean {
  if (!ToolError.is(error) || !isLack(error)) return false;
  if (!/wrong fs type|Invalid argument|not supported/iu.test(error.hint ?? "")) return false;
  const { dev } = lstatSync(workspace);
  return others.some((root) => lstatSync(root).dev !== dev);
}

/** Returns the current time of the clock that dates file changes, which is behind the other clocks. */
function momentIn(directory: string): number {
  utimesSync(directory, 0, 0);
  return lstatSync(directory).ctimeMs;
}

interface Start {
  readonly options: OverlayOptions;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function wrapped(holder: Holder, { options, argv, cwd, env }: Start): Confined {
  const { sandbox, environment } = options;
  if (sandbox !== undefined) {
    const confined = sandbox.wrap(argv, { cwd, env, onOverlay: true });
    return { ...confined, argv: [...holder.join(confined.cwd), ...confined.argv], cwd: "/" };
  }
  return {
    argv: [...holder.join(cwd), ...argv],
    cwd: "/",
    env: { ...present(environment ?? process.env), ...env },
    descriptors: [],
  };
}

function present(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
