import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "../../../core/index.ts";
import { systemEnvironment } from "../../../programs/index.ts";
import { nothingInherited } from "../../inherited-descriptors.ts";
import { namesLack } from "../../probe/transient-failure.ts";
import type { OverlayForm } from "./namespace-form.ts";
import type { OverlayPrograms } from "./overlay-programs.ts";

export interface HolderOptions {
  /** Source name that identifies its mounts. */
  readonly tag: string;
  readonly form: OverlayForm;
  readonly programs: OverlayPrograms;
  /** Directory of the mount table `mounts` and of the paths it names. */
  readonly directory: string;
}

/** Process that only keeps a mount namespace alive: it ends with this process, or when `end` is called. */
export interface Holder {
  readonly pid: number;
  isAlive(): boolean;
  /** Path under which the root of the namespace is visible. */
  readonly view: string;
  /** Returns the arguments that start a program in the namespace, in a directory of it. */
  join(cwd: string): readonly string[];
  end(): Promise<void>;
}

/**
 * Script that waits for a line, which says that the namespace is no longer needed. End of input without a line means
 * that the parent was killed: the script then ends every process that still sees the mounts, in as many scans as that
 * takes, because a killed process may just have started others.
 */
function waiting(tag: string): string {
  if (!/^[\w.-]+$/u.test(tag)) throw new TypeError(`${tag} is not a name for mounts.`);
  const seeing = `grep -lsF ' - overlay ${tag} ' /proc/[0-9]*/mountinfo`;
  const ending = `p=\${f#/proc/}; p=\${p%/mountinfo}; [ "$p" = "$$" ] || kill -9 "$p" 2>/dev/null`;
  return `printf ready; read -r _ || for _ in 1 2 3 4 5; do for f in $(${seeing}); do ${ending}; done; done`;
}

const mounted = `"$1" -n -a -T mounts || exit 1`;
/** Milliseconds that an orderly end may take. */
const patienceMs = 2000;

/**
 * Applies the mount table in a new namespace. Rejects with UNAVAILABLE and the message of `mount`, which is retryable
 * unless it names a lack that lasts.
 */
export async function startHolder({
  tag,
  form,
  programs,
  directory,
}: HolderOptions): Promise<Holder> {
  const wait = waiting(tag);
  const { sh, mount, unshare, nsenter } = programs;
  const user = process.getuid?.() ?? 0;
  const group = process.getgid?.() ?? 0;
  // Mounting requires user id 0. A second namespace restores the user's own id, and locks the mounts.
  const parameters =
    form === "mount"
      ? ["--mount", "--", sh, "-c", `${mounted}; ${wait}`, "haft", mount]
      : [
          "--user",
          "--map-root-user",
          "--mount",
          "--",
          sh,
          "-c",
          `${mounted}; exec "$2" --user --map-user="$3" --map-group="$4" --mount -- "$5" -c "$6"`,
          "haft",
          mount,
          unshare,
          `${user}`,
          `${group}`,
          sh,
          wait,
        ];
  const others = nothingInherited(3);
  const child = spawn(unshare, parameters, {
    cwd: directory,
    env: systemEnvironment(),
    stdio: ["pipe", "pipe", "pipe", ...others.stdio],
  });
  others.close();
  const { stdin, stdout, stderr } = child;
  let complaint = "";
  let isAlive = true;
  const gone = new Promise<void>((done) => {
    child.once("error", (error) => {
      complaint += error.message;
      done();
    });
    child.once("close", () => done());
  }).finally(() => (isAlive = false));
  const notMounted = (): ToolError =>
    new ToolError("UNAVAILABLE", "An overlay could not be mounted.", {
      hint: complaint.trim().slice(0, 500) || "The kernel did not say why.",
      retryable: !namesLack(complaint),
    });
  // Without a free descriptor there are no pipes, whatever the types say, and an error that follows.
  if (!stdin || !stdout || !stderr) {
    await gone;
    throw notMounted();
  }
  stdin.on("error", () => undefined);
  stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString("utf8")));
  const isReady = await Promise.race([
    new Promise<boolean>((done) => stdout.once("data", () => done(true))),
    gone.then(() => false),
  ]);
  const { pid } = child;
  if (!isReady || pid === undefined) {
    throw notMounted();
  }
  // The waiting child must not keep this process alive.
  child.unref();
  for (const stream of [stdin, stdout, stderr]) unrefStream(stream);
  const joined = form === "user" ? [`--user=/proc/${pid}/ns/user`, "--preserve-credentials"] : [];
  return {
    pid,
    isAlive: () => isAlive,
    view: `/proc/${pid}/root`,
    join: (cwd) => [
      nsenter,
      ...joined,
      `--mount=/proc/${pid}/ns/mnt`,
      // Opened before the namespace is entered, so the path leads through that process.
      `--wd=/proc/${pid}/root${cwd}`,
      "--",
    ],
    end: async () => {
      const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      child.ref();
      stdin.end("\n");
      await gone;
      clearTimeout(timer);
    },
  };
}

function unrefStream(stream: Readable | Writable): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}
