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
  /** Directories to cover, the workspace first: what is written in them is staged, what is written elsewhere is not. */
  readonly roots: readonly string[];
  /** A private directory outside of the roots. On another file system than theirs, sources cannot be moved into place. */
  readonly staging: string;
  /** What is started is confined by it as well. */
  readonly sandbox?: Sandbox;
  /** Trees inside of the roots that are written straight through. Those that do not exist are left out. */
  readonly through?: readonly string[];
  /** What a program sees of the environment where no sandbox says. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Default: what this process needs. */
  readonly form?: OverlayForm;
  /** Where a journal is that may need what was staged, also after this process is gone. */
  readonly journal?: string;
}

/** An overlay of the real tree for one command. */
export interface Overlay {
  /** Starts programs on the overlay, at the paths they know. */
  readonly confinement: Confinement;
  /**
   * What was changed. It ends whatever still runs on the overlay, and fails with UNAVAILABLE where something cannot be
   * ended. Sources stay where they are until `drop`.
   */
  changes(): Promise<StagedChanges>;
  /** Leaves no mount, no process and no file behind, whatever has happened. */
  drop(): Promise<void>;
}

/**
 * Ready to start programs, also some time later: what others do to the real tree before the first start is seen.
 * Fails with UNAVAILABLE where the kernel, or the system, has no overlay for this user. */
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
  const { roots, through } = await coveredTrees({
    roots: options.roots,
    through: [...wanted, ...(sandbox === undefined ? [] : [sandbox.policy.temporary])],
  });
  const around = roots.find((root) => isWithin(root, staging));
  if (around !== undefined) throw new TypeError(`${staging} lies in ${around}, which it stages.`);
  const form = options.form ?? overlayForm();
  const directory = await makeOverlayDirectory(staging, options.journal);
  const tag = baseName(directory);
  let holder: Holder | undefined;
  // Nobody runs on it before the first start, and nobody after its changes were read.
  let isQuiet = true;
  let dropped: Promise<void> | undefined;
  const dropOnce = async () => {
    await holder?.end();
    await dropOverlay(directory, { isQuiet });
  };
  const drop = async () => {
    dropped ??= dropOnce().catch((error: unknown) => {
      // What would not go may go the next time.
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
            "Something that the command left behind does not end.",
            {
              hint: "What it changed was not looked at; nothing has reached the workspace.",
            },
          );
        }
        isQuiet = true;
        const sets = await Promise.all(layers.map(changeSet));
        // Without it nothing of the real tree would have shown, and all of it be told as removed.
        if (!held.isAlive() || !layers.every(({ merged }) => existsSync(merged))) {
          throw new ToolError(
            "UNAVAILABLE",
            "The overlay is gone, so its changes cannot be told.",
            {
              hint: "Nothing has reached the workspace. Run it again.",
            },
          );
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

/** Now, in the clock that the file system dates changes by, which is behind the others. */
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
