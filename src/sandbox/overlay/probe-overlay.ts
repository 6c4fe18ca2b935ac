import { mkdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { release } from "node:os";
import { ToolError } from "../../core/index.ts";
import { systemEnvironment } from "../../programs/index.ts";
import { ownedDirectory } from "../owned-directory.ts";
import {
  hasRoom,
  namesLack,
  reasonOf,
  transientErrno,
  transientError,
} from "../probe/transient-failure.ts";
import { runConfined, type RunConfined } from "../run-confined.ts";
import type { Missing } from "../sandbox.ts";
import { overlayForm, type OverlayForm } from "./mount/namespace-form.ts";
import { isLack, prepareOverlay, type Overlay } from "./overlay.ts";
import { overlayPrograms } from "./mount/overlay-programs.ts";

export interface ProbeOverlayOptions {
  /** Private directory on the file system where overlays are staged. */
  readonly directory: string;
  /** Form of the namespaces. Default: the one this process needs. */
  readonly form?: OverlayForm;
  /** Shell that the overlay is tried with. Default: the system's. */
  readonly sh?: string;
  /** Prepares the overlay that is tried. Default: `prepareOverlay`. */
  readonly prepare?: typeof prepareOverlay;
  /** Runs the shell. Default: `runConfined`. */
  readonly run?: RunConfined;
}

const patienceMs = 10_000;
/** Exit code of a shell if a program is missing. */
const notFound = 127;
const script = "echo new > kept && rm gone && rm -r tree && mkdir tree && echo new > tree/new";
const expected = ["kept file", "gone absent", "tree/new file", "tree/old absent"].toSorted();

/**
 * Tries an overlay and returns why it does not work on this machine; undefined if it works. Rejects if it failed for
 * any reason that may be over the next time, such as a full disk: that says nothing about the machine.
 */
export async function probeOverlay(options: ProbeOverlayOptions): Promise<Missing | undefined> {
  const programs = await overlayPrograms();
  if ("reason" in programs) return programs;
  const { directory } = options;
  let base: string | undefined;
  try {
    base = await ownedDirectory(directory, "haft-probe");
    const missing = await tried(base, {
      sh: programs.sh,
      form: overlayForm(),
      prepare: prepareOverlay,
      run: runConfined,
      ...options,
    });
    if (missing === undefined || (await hasRoom(base))) return missing;
    throw new ToolError("NO_SPACE", `There is too little space in ${directory} to try an overlay.`);
  } catch (error) {
    throw transientError(error, { what: "the overlay", directory });
  } finally {
    if (base !== undefined) {
      await rm(base, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function tried(
  base: string,
  { sh, form, prepare, run }: Required<Omit<ProbeOverlayOptions, "directory">>,
): Promise<Missing | undefined> {
  const root = `${base}/real`;
  const staging = `${base}/staging`;
  await Promise.all([mkdir(`${root}/tree`, { recursive: true }), mkdir(staging)]);
  const names = ["kept", "gone", "tree/old"];
  await Promise.all(names.map(async (name) => writeFile(`${root}/${name}`, "old")));
  const environment = systemEnvironment();
  let overlay: Overlay;
  try {
    overlay = await prepare({ roots: [root], staging, form, environment });
  } catch (error) {
    if (!isLack(error)) throw error;
    return { reason: `No overlay works here: ${reasonOf(error)}` };
  }
  try {
    const confined = await overlay.confinement.wrap([sh, "-c", script], { cwd: root, env: {} });
    const { code, stderr } = await run(confined, { timeoutMs: patienceMs });
    if (code === notFound && /\b(?:rm|mkdir): .*not found/u.test(stderr)) {
      return {
        reason: `The programs an overlay is tried with (rm, mkdir) were not found: ${stderr.trim()}`,
        install: "apt-get install coreutils",
      };
    }
    if (code !== 0) {
      const reason = `Nothing can be run on an overlay here: ${stderr.trim()}`;
      const isHere = namesLack(stderr) || (await hasNoAttributes(stderr, { base, form }));
      if (code !== null && isHere) return { reason };
      throw new Error(code === null ? `${reason}${stderr && " "}It was killed.` : reason);
    }
    const { changes } = await overlay.changes();
    const got = changes.map(({ path, to }) => `${path.slice(root.length + 1)} ${to.kind}`);
    const isExact = JSON.stringify(got.toSorted()) === JSON.stringify(expected);
    const real = await Promise.all(
      names.map(async (name) => readFile(`${root}/${name}`, "utf8").catch(() => "")),
    );
    if (real.some((content) => content !== "old")) {
      return { reason: "What is written on an overlay reaches the real tree here." };
    }
    return isExact
      ? undefined
      : { reason: `An overlay tells changes wrongly here: ${got.join(", ")}` };
  } finally {
    await overlay.drop();
  }
}

/** Types of file systems in user space, and in memory. */
const fuse = 0x65735546;
const memory = 0x01021994;

/**
 * Whether a shell failed with EIO because the file system stores no extended attributes, which overlayfs reports that
 * way: one in user space, or one in memory before Linux 6.6.
 */
async function hasNoAttributes(
  stderr: string,
  { base, form }: { readonly base: string; readonly form: OverlayForm },
): Promise<boolean> {
  if (transientErrno(stderr) !== "EIO") return false;
  const { type } = await statfs(base);
  if (type === fuse) return true;
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return type === memory && form === "user" && (major < 6 || (major === 6 && minor < 6));
}
