import { isWithin, joinPath } from "../text/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { Refusal } from "./proxy/host-proxy.ts";

/** Action that a sandbox most likely refused, narrow enough to be granted alone. */
export type RefusedAction =
  | { readonly kind: "write" | "read"; readonly path: string; readonly reason: string }
  | {
      readonly kind: "connect";
      readonly host?: string;
      readonly port?: number;
      readonly reason: string;
    }
  /** Unix socket in the file system: a sandbox allows none. */
  | { readonly kind: "socket"; readonly path?: string; readonly reason: string }
  | { readonly kind: "process"; readonly reason: string }
  /** The wrapper itself failed: the command never ran. */
  | { readonly kind: "setup"; readonly reason: string };

export interface FinishedCommand {
  readonly code: number | null;
  readonly signal?: string | null;
  readonly stderr: string;
  readonly cwd?: string;
  /** Connections the proxy refused in the meantime; it knows hosts better than any message. */
  readonly refusals?: readonly Refusal[];
  /** Resolves the links of a path. Default: returns it unchanged. */
  readonly leads?: (path: string) => string;
}

const maxActions = 20;
const maxLines = 2000;

const forms = {
  readOnly: /read-only file system|\bEROFS\b|errno 30\b/iu,
  notAllowed: /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b|errno (?:1|13)\b/iu,
  busy: /device or resource busy|\bEBUSY\b/iu,
  crossing: /invalid cross-device link|\bEXDEV\b/iu,
  missing: /no such file or directory|\bENOENT\b/iu,
  network:
    /network is unreachable|\bENETUNREACH\b|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|\bEAI_AGAIN\b|\bENOTFOUND\b|socket: operation not permitted|connect(?:ion)? .*operation not permitted|\bconnect EPERM \S+:\d+/iu,
  /** Node prints the path last; a network address differs by its port. */
  socketAt: /\b(?:listen|connect) EPERM(?:: operation not permitted)? (?!\S+:\d)(\S+)/u,
  socket:
    /\bsocket: operation not permitted|error (?:creating|binding) socket|IPC connect call failed/iu,
  process:
    /\b(?:ptrace|unshare|mount|umount|chroot|setns|bpf)\b.*operation not permitted|resource temporarily unavailable|bad system call/iu,
} as const;

const hostForms = [
  /could not resolve host:?\s*['"]?([\w.-]+)/iu,
  /getaddrinfo \w+ ([\w.-]+)/u,
  /https?:\/\/([\w.-]+)(?::(\d+))?/iu,
  /(?:connect to|connecting to)\s+['"]?([\w.-]+)/iu,
] as const;

/**
 * Infers from a failed command's output what the sandbox refused, strongest sign first. Empty if it succeeded or failed
 * by itself: a path that the policy opens anyway is never named.
 */
export function inferRefusedActions(
  command: FinishedCommand,
  policy: SandboxPolicy,
): readonly RefusedAction[] {
  const refused = (command.refusals ?? []).map(({ host, port, reason }): RefusedAction => ({
    kind: "connect",
    host,
    port,
    reason,
  }));
  if (command.code === 0) return refused;
  if (command.signal === "SIGSYS" || command.code === 159) {
    refused.push({ kind: "process", reason: "The system call filter ended the command." });
  }
  const found = command.stderr
    .split("\n")
    .slice(-maxLines)
    .flatMap((line) => refusedIn(line, command, policy));
  return unique([...refused, ...found, ...traced(command.stderr, policy)]).slice(0, maxActions);
}

function refusedIn(
  line: string,
  { cwd, leads = (path) => path }: FinishedCommand,
  policy: SandboxPolicy,
): readonly RefusedAction[] {
  const reason = line.trim().slice(0, 300);
  if (/^bwrap: (?!execvp)/u.test(reason) || /^haft: .*cannot confine itself/u.test(reason)) {
    return [{ kind: "setup", reason }];
  }
  const [, socket] = forms.socketAt.exec(line) ?? [];
  if (socket !== undefined) {
    const path = joinPath(cwd ?? policy.workspace, socket);
    return [{ kind: "socket", path, reason }];
  }
  if (policy.network.kind !== "open" && forms.network.test(line)) {
    return [{ kind: "connect", ...hostIn(line), reason }];
  }
  if (forms.socket.test(line)) return [{ kind: "socket", reason }];
  const isWrite = forms.readOnly.test(line) || forms.busy.test(line) || forms.crossing.test(line);
  const isRefused = isWrite || forms.notAllowed.test(line);
  const paths = pathsIn(line, cwd ?? policy.workspace);
  const secret = (isRefused || forms.missing.test(line) ? paths : [])
    .flatMap((path) => [path, leads(path)])
    .find((path) => policy.hidden.some((hidden) => isWithin(hidden.path, path)));
  // A masked directory is empty, so a file in it is reported as not found instead of refused.
  if (secret !== undefined) {
    return [{ kind: "read", path: secret, reason }];
  }
  if (!isRefused) return [];
  // A rule for the name of a link would not open its target.
  const written = paths.map(leads).find((path) => isClosed(path, policy));
  if (written !== undefined) return [{ kind: "write", path: written, reason }];
  return forms.process.test(line) ? [{ kind: "process", reason }] : [];
}

/**
 * Python prints the refused operation in the lines before the error. With an open network only sockets of other
 * families are refused.
 */
function traced(stderr: string, { network }: SandboxPolicy): readonly RefusedAction[] {
  const trace =
    /_socket\.socket\.__init__\(.*\n(?:[ ^~]+\n)?(PermissionError: \[Errno 1\].*)/u.exec(stderr);
  if (network.kind !== "open" || trace === null) return [];
  return [{ kind: "socket", reason: trace[1] ?? "" }];
}

/** Whether the policy blocks a write to the path. */
function isClosed(path: string, policy: SandboxPolicy): boolean {
  if (policy.granted.some((entry) => isWithin(entry.path, path))) return false;
  if (policy.protected.some((entry) => isWithin(entry.path, path))) return true;
  if (policy.pinned.includes(path)) return true;
  return !policy.writable.some((entry) => isWithin(entry.path, path));
}

/**
 * Matches the program that complains, which comes first and is not the refused path: `/bin/sh: 1: cannot create
 * /etc/x`.
 */
const complainer = /^\S+: (?:line )?\d+: /u;

/** Matches the destination when a program copies or moves: that is the path it could not create. */
const destination = /['"’] (?:->|to) ['"‘]([^'"’\n]+)['"’]/u;

/** Returns quoted texts first, because they may contain spaces; then words that look like paths. */
function pathsIn(text: string, cwd: string): readonly string[] {
  const line = text.replace(complainer, "");
  const quoted = [...line.matchAll(/['"‘`]([^'"’`\n]+)['"’`]/gu)].map(([, word = ""]) => word);
  const bare = [
    ...line.matchAll(/(?:^|[\s(])((?:\.{0,2}\/)[^\s:'"()]+|[\w.-]+\/[^\s:'"()]+)/gu),
  ].map(([, word = ""]) => word);
  const named = [...line.matchAll(/(?:^|: )([^\s:'"]+): (?:[A-Z][a-z]|EROFS|EACCES|EPERM)/gu)].map(
    ([, word = ""]) => word,
  );
  const made = destination.exec(line)?.slice(1) ?? [];
  return [...made, ...quoted, ...bare, ...named]
    .filter((word) => looksLikePath(word) && !word.includes("://"))
    .map((word) => joinPath(cwd, word));
}

function looksLikePath(word: string): boolean {
  return word.includes("/") || /^[\w.-]+$/u.test(word);
}

function hostIn(line: string): { host?: string; port?: number } {
  for (const form of hostForms) {
    const [, host, port] = form.exec(line) ?? [];
    if (host !== undefined) return port === undefined ? { host } : { host, port: Number(port) };
  }
  return {};
}

function unique(actions: readonly RefusedAction[]): readonly RefusedAction[] {
  const seen = new Map<string, RefusedAction>();
  for (const action of actions) {
    const { reason: _reason, ...what } = action;
    const key = JSON.stringify(what);
    if (!seen.has(key)) seen.set(key, action);
  }
  return [...seen.values()];
}
