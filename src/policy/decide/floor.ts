import { baseName, isWithin } from "../../text/index.ts";
import { type Effect, type ExecuteEffect, type Word } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";

/**
 * Returns why a call would destroy the machine, the home directory or a disk, or shut the machine down; undefined for
 * every other call. No mode and no rule allows such a call.
 */
export function floorOf(
  effects: readonly Effect[],
  boundary: Boundary,
): { readonly effect: Effect; readonly because: string } | undefined {
  for (const effect of effects) {
    const because =
      effect.kind === "write"
        ? writeFloor(effect.path, effect.scope === "tree" && effect.change === "delete", boundary)
        : effect.kind === "execute"
          ? commandFloor(effect, boundary)
          : effect.kind === "unknown" && effect.floor === true
            ? effect.because
            : undefined;
    if (because !== undefined) return { effect, because };
  }
  return undefined;
}

function writeFloor(path: string, isWipe: boolean, boundary: Boundary): string | undefined {
  if (blockDevice.test(path)) return `It would overwrite the disk ${path}.`;
  if (!isWipe) return undefined;
  return wiped(path, boundary);
}

function wiped(path: string, boundary: Boundary): string | undefined {
  if (path === "/") return "It would remove everything on this machine.";
  if (boundary.home !== undefined && isWithin(path, boundary.home)) {
    return "It would remove a whole home directory.";
  }
  for (const root of boundary.roots) {
    if (path !== root && isWithin(path, root)) {
      return `It would remove ${path}, which contains the workspace.`;
    }
  }
  return undefined;
}

/** Disks, partitions and memory, by the names that operating systems give them. */
const blockDevice =
  /^\/dev\/(?:[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|sr\d|loop\d|zd\d|nbd\d|ram\d|mapper\/|disk\/|block\/|mem$|kmem$|port$)/u;

const destroyers =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs|wipefs|blkdiscard|format(?:\.com|\.exe)?|diskpart(?:\.exe)?)$/u;

const switchers: ReadonlySet<string> = new Set(["shutdown", "reboot", "halt", "poweroff"]);

const managers: Readonly<Record<string, RegExp>> = {
  systemctl: /^(?:poweroff|reboot|halt|kexec|soft-reboot)$/u,
  loginctl: /^(?:poweroff|reboot|halt)$/u,
  init: /^[06]$/u,
  telinit: /^[06]$/u,
};

/** Programs whose first argument selects the program to run. */
const multiCall: ReadonlySet<string> = new Set(["busybox", "toybox"]);

function commandFloor(effect: ExecuteEffect, boundary: Boundary): string | undefined {
  let words = effect.argv;
  while (multiCall.has(programOf(words))) words = words.slice(1);
  const program = programOf(words);
  const rest = words.slice(1);
  if (destroyers.test(program) && !asksForHelp(rest)) return `${program} erases a disk.`;
  if (switchers.has(program) && !stopsNothing(rest)) return `${program} stops the machine.`;
  const manager = Object.hasOwn(managers, program) ? managers[program] : undefined;
  if (
    manager !== undefined &&
    rest.some((word) => typeof word === "string" && manager.test(word))
  ) {
    return `${program} would stop the machine.`;
  }
  if (program === "dd" || program === "shred") {
    const target = rest.find(
      (word) => typeof word === "string" && blockDevice.test(word.replace(/^of=/u, "")),
    );
    if (typeof target === "string" && (program === "shred" || target.startsWith("of="))) {
      return `${program} would overwrite the disk ${target.replace(/^of=/u, "")}.`;
    }
  }
  if (program === "rm") return removalFloor(rest, boundary);
  if (program === "find" && rest.includes("-delete")) return searchFloor(rest, boundary);
  return undefined;
}

function removalFloor(words: readonly Word[], boundary: Boundary): string | undefined {
  let isRecursive = false;
  let isOptions = true;
  const operands: Word[] = [];
  for (const word of words) {
    if (typeof word !== "string" || !isOptions || !word.startsWith("-") || word === "-") {
      operands.push(word);
    } else if (word === "--") {
      isOptions = false;
    } else if (word.startsWith("--")) {
      // GNU programs accept any unambiguous prefix of a long option.
      isRecursive ||= word.length > 3 && "--recursive".startsWith(word);
    } else {
      isRecursive ||= /[rR]/u.test(word);
    }
  }
  if (!isRecursive) return undefined;
  for (const operand of operands) {
    const because = operandFloor(operand, boundary);
    if (because !== undefined) return because;
  }
  return undefined;
}

function searchFloor(words: readonly Word[], boundary: Boundary): string | undefined {
  const expression = words.findIndex((word) => typeof word === "string" && /^[-(!]/u.test(word));
  // With a test in front of it, -delete removes only what the test finds.
  if (words[expression] !== "-delete") return undefined;
  for (const start of words.slice(0, expression)) {
    const because = operandFloor(start, boundary);
    if (because !== undefined) return because;
  }
  return undefined;
}

/** Checks an operand of a removal. A word that is not yet expanded is judged by the paths it mentions. */
function operandFloor(operand: Word, boundary: Boundary): string | undefined {
  if (typeof operand !== "string") {
    return /(?:^|[\s"'`:=])(?:~|\$\{?HOME\b\}?)(?:\/\*?)?(?=$|[\s"'`])/u.test(operand.dynamic)
      ? "It would remove a whole home directory."
      : /(?:^|[\s"'`:=])\/+(?:\*|\.\*|\{)/u.test(operand.dynamic)
        ? "It would remove everything on this machine."
        : undefined;
  }
  if (/^\/[/.]*\*?$/u.test(operand)) return "It would remove everything on this machine.";
  if (/^(?:~|\$HOME|\$\{HOME\})\/*(?:\*|\.|\.\*)?$/u.test(operand)) {
    return "It would remove a whole home directory.";
  }
  if (!operand.startsWith("/")) return undefined;
  return wiped(tidy(operand), boundary);
}

/** Normalizes an absolute path: no repeated slashes, no dots and no star at the end. */
function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  if (parts.at(-1) === "*") parts.pop();
  return `/${parts.join("/")}`;
}

function programOf(words: readonly Word[]): string {
  const [first] = words;
  return typeof first === "string" ? baseName(first) : "";
}

const helpForms: ReadonlySet<Word> = new Set(["--help", "--version", "-V", "-h", "-?"]);

function asksForHelp(words: readonly Word[]): boolean {
  return words.length > 0 && words.every((word) => helpForms.has(word));
}

/** Options that cancel, show or only log a shutdown; `-h` is not among them, because it halts. */
const idleForms: ReadonlySet<Word> = new Set([
  "--help",
  "--version",
  "--show",
  "-c",
  "-w",
  "--wtmp-only",
]);

function stopsNothing(words: readonly Word[]): boolean {
  return words.length > 0 && words.every((word) => idleForms.has(word));
}
