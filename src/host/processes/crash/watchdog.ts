import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { systemEnvironment, systemProgram } from "../../../programs/index.ts";
import { endingMarks, markerName, markOf, newHostMark } from "../process-tag.ts";

/** Looks in a row that find nobody, before it believes that nobody comes any more. */
const quietLooks = 10;
/** By which such a process is known to another one. */
const ownName = "haft-watch";
/** However often it finds somebody: what even KILL does not end is not waited for. */
const maxLooks = 100;

/**
 * Its input ends when the program that started it has, however that came. Then it ends what carries the mark, with all
 * of their groups, sessions and descendants, in as many looks as it takes: what is killed may just have been starting
 * others, and what is becoming another program shows no mark for a moment. Where another haft ran inside of one of these
 * programs, its watcher is left alone: that ends by itself, after what it is there for.
 */
const script = `
read -r _
looks=0 quiet=0
while [ "$quiet" -lt ${quietLooks} ] && [ "$looks" -lt ${maxLooks} ]; do
  [ "$looks" -eq 0 ] || sleep 0.1
  looks=$((looks + 1)) quiet=$((quiet + 1)) found=' ' others=' '
  for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    found="$found\${file%/environ} "
  done
  [ "$found" != ' ' ] || continue
  for file in $(grep -lsF ${ownName} /proc/[0-9]*/cmdline); do
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
      case $found$others in
        *" $pid "*) ;;
        *" $parent "* | *" \${rest%/*} "* | *" \${rest#*/} "*) found="$found$pid " more=yes ;;
      esac
    done
  done
  for pid in $found; do kill -9 "$pid"; done
done`;

/**
 * Sees to it that a host's programs end where this program is killed outright and can end nothing itself: a small
 * process that waits for that and does nothing else.
 */
export class CrashWatch {
  /** Begins the marks of the host's programs. */
  readonly mark = newHostMark();
  /** For a program of the host's own. */
  readonly ownEnvironment = { [markerName]: markOf(this.mark, 0, false) };
  #watcher: ChildProcess | undefined;
  #gone: Promise<void> | undefined;
  #isClosed = false;

  /** Watches from now on. Where nothing can be started for it, programs are started without. */
  open(): void {
    if (this.#watcher !== undefined || this.#isClosed || process.platform !== "linux") return;
    const shell = systemProgram("sh");
    if (shell === undefined) return;
    // Out of reach of a terminal, in nobody's folder, and with nothing of what this program prints into.
    const marked = `${markerName}=${endingMarks(this.mark)}`;
    const watcher = spawn(shell, ["-c", script, ownName, marked], {
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
    // Without any where this program has no descriptor left.
    const stdin: Writable | null | undefined = watcher.stdin;
    stdin?.on("error", () => undefined);
    if (stdin && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  }

  /** Its programs have ended, so there is nothing to watch. */
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
