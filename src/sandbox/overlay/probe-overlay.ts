import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { ToolError } from "../../core/index.ts";
import { systemEnvironment } from "../../programs/index.ts";
import { ownedDirectory } from "../owned-directory.ts";
import { runConfined } from "../run-confined.ts";
import type { Missing } from "../sandbox.ts";
import { overlayForm, type OverlayForm } from "./mount/namespace-form.ts";
import { prepareOverlay } from "./overlay.ts";
import { overlayPrograms } from "./mount/overlay-programs.ts";

export interface ProbeOverlayOptions {
  /** Private directory on the file system where overlays are staged. */
  readonly directory: string;
  /** Form of the namespaces. Default: the one this process needs. */
  readonly form?: OverlayForm;
  /** Shell that the overlay is tried with. Default: the system's. */
  readonly sh?: string;
}

const patienceMs = 10_000;
/** Exit code of a shell if a program is missing. */
const notFound = 127;
const script = "echo new > kept && rm gone && rm -r tree && mkdir tree && echo new > tree/new";
const expected = ["kept file", "gone absent", "tree/new file", "tree/old absent"].toSorted();

/** Tries an overlay and returns why it does not work; undefined if it works. */
export async function probeOverlay(options: ProbeOverlayOptions): Promise<Missing | undefined> {
  const programs = await overlayPrograms();
  if ("reason" in programs) return programs;
  let base: string | undefined;
  try {
    base = await ownedDirectory(options.directory, "haft-probe");
    return await tried(base, {
      sh: options.sh ?? programs.sh,
      form: options.form ?? overlayForm(),
    });
  } catch (error) {
    return { reason: `No overlay works here: ${reasonOf(error)}` };
  } finally {
    if (base !== undefined) await rm(base, { recursive: true, force: true });
  }
}

async function tried(
  base: string,
  { sh, form }: { readonly sh: string; readonly form: OverlayForm },
): Promise<Missing | undefined> {
  const root = `${base}/real`;
  const staging = `${base}/staging`;
  await Promise.all([mkdir(`${root}/tree`, { recursive: true }), mkdir(staging)]);
  const names = ["kept", "gone", "tree/old"];
  await Promise.all(names.map(async (name) => writeFile(`${root}/${name}`, "old")));
  const environment = systemEnvironment();
  const overlay = await prepareOverlay({ roots: [root], staging, form, environment });
  try {
    const confined = await overlay.confinement.wrap([sh, "-c", script], { cwd: root, env: {} });
    const { code, stderr } = await runConfined(confined, { timeoutMs: patienceMs });
    if (code === notFound) {
      return {
        reason: `The programs an overlay is tried with (rm, mkdir) were not found: ${stderr.trim()}`,
        install: "apt-get install coreutils",
      };
    }
    if (code !== 0) return { reason: `Nothing can be run on an overlay here: ${stderr.trim()}` };
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

function reasonOf(error: unknown): string {
  if (ToolError.is(error))
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}
