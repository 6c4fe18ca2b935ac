import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { systemEnvironment, systemProgram } from "../../../programs/index.ts";
import { endingMarks, markerName, markOf, newHostMark, watchdogName } from "../process-tag.ts";

/** Number of consecutive scans without a process after which the watchdog assumes that none will appear. */
const quietLooks = 10;
/** Maximum number of scans: a process that even KILL does not end is not waited for. */
const maxLooks = 100;

/**
 * The watchdog's input ends when the watched process has ended, for whatever reason. The watchdog then ends every
 * process with the tag, and all of their groups, sessions and descendants. It stops them first and scans until it finds no
 * further one: what a process has just started may be known by its parent alone, and a killed parent is no longer named.
 * It scans again after that, because a process that executes a new program shows no tag for a moment. The watchdog of
 * another haft that ran inside one of these programs is spared: it ends by itself after its own work.
 */
const script = `
read -r _
looks=0 quiet=0 stopped=' ' new=
while [ "$quiet" -lt ${quietLooks} ] && [ "$looks" -lt ${maxLooks} ]; do
  [ "$looks" -eq 0 ] || [ -n "$new" ] || sleep 0.1
  looks=$((looks + 1)) quiet=$((quiet + 1)) found=' ' others=' ' new=
  for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    found="$found\${file%/environ} "
  done
  [ "$found" != ' ' ] || continue
  for file in $(grep -lsF ${watchdogName} /proc/[0-9]*/cmdline); do
    file=\${file#/proc/}
    others="$others\${file%/cmdline} "
  done
  quiet=0 all= more=yes
  for file in /proc/[0-9]*/stat; do
    read -r line <"$file" || continue
    set -- "$1" \${line##*) }
    all="$all \${line%% *}/$3/$4/$5"
  done
  while [ -n "$more" ]; do
    more=
    for one in $all; do
      pid=\${one%%/*} rest=\${one#*/}
      parent=\${rest%%/*} rest=\${rest#*/}
      case $found$others in *" $pid "*) continue ;; esac
      case $found in
        *" $parent "* | *" \${rest%/*} "* | *" \${rest#*/} "*) found="$found$pid " more=yes ;;
      esac
    done
  done
  for pid in $found; do
    case $stopped in *" $pid "*) continue ;; esac
    stopped="$stopped$pid " new=yes
    kill -STOP "$pid"
  done
  [ -z "$new" ] || continue
  for pid in $found; do kill -9 "$pid"; done
done`;

/**
 * Ends a host's programs if this process is killed outright and cannot end anything itself: a small process that waits
 * for that and does nothing else.
 */
export class CrashWatch {
  /** Prefix of the tags of the host's programs. */
  readonly mark = newHostMark();
  /** Environment of programs of the host itself. */
  readonly ownEnvironment = { [markerName]: markOf(this.mark, 0, false) };
  #watcher: ChildProcess | undefined;
  #gone: Promise<void> | undefined;
  #isClosed = false;

  /** Starts the watchdog. If it cannot be started, programs run without it. */
  open(): void {
    if (this.#watcher !== undefined || this.#isClosed || process.platform !== "linux") return;
    const shell = systemProgram("sh");
    if (shell === undefined) return;
    // Detached from the terminal, in `/` so that it keeps no other directory in use, and without the output of this
    // process.
    const marked = `${markerName}=${endingMarks(this.mark)}`;
    const watcher = spawn(shell, ["-c", script, watchdogName, marked], {
      cwd: "/",
      env: systemEnvironment(),
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#watcher = watcher;
    this.#gone = new Promise((resolve) => {
      const gone = (): void => {
        if (this.#watcher === watcher) this.#watcher = undefined;
        resolve();
      };
      watcher.once("error", gone);
      watcher.once("exit", gone);
    });
    watcher.unref();
    // Missing if this process has no descriptor left.
    const stdin: Writable | null | undefined = watcher.stdin;
    stdin?.on("error", () => undefined);
    if (stdin && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  }

  /** Stops the watchdog; the host's programs have ended before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const watcher = this.#watcher;
    if (watcher === undefined) return;
    watcher.ref();
    watcher.kill("SIGKILL");
    await this.#gone;
    watcher.stdin?.destroy();
  }
}
