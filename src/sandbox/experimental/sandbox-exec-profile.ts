import type { ExistingPath, SandboxPolicy } from "../policy/policy.ts";

/** Returns a profile for the macOS sandbox; a later rule overrides an earlier one. */
export function sandboxExecProfile(policy: SandboxPolicy): string {
  const {
    writable,
    granted,
    protected: guarded,
    pinned,
    watched,
    hidden,
    network,
    temporary,
  } = policy;
  const lines = [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read-metadata)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    ...(policy.readable.includes("/")
      ? ["(allow file-read*)"]
      : policy.readable.map((path) => `(allow file-read* (subpath ${quoted(path)}))`)),
    ...writable.map((entry) => `(allow file-write* ${place(entry)})`),
    ...["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"].map(
      (path) => `(allow file-write-data (literal ${quoted(path)}))`,
    ),
    ...guarded.map((entry) => `(deny file-write* ${place(entry)})`),
    // By name, so that a path that does not exist yet is protected as well.
    ...watched.map(({ path }) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...pinned.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...hidden.map((entry) => `(deny file-read* file-write* ${place(entry)})`),
    `(allow file-read* file-write* (subpath ${quoted(temporary)}))`,
    ...granted.map((entry) => `(allow file-read* file-write* ${place(entry)})`),
    ...(network.kind === "open"
      ? [
          "(allow network-outbound (remote ip))",
          "(allow network-inbound (local ip))",
          "(allow network-bind (local ip))",
          '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
        ]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function place({ path, kind }: ExistingPath): string {
  return kind === "directory" ? `(subpath ${quoted(path)})` : `(literal ${quoted(path)})`;
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
