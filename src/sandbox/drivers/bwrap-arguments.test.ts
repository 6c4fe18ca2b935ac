import { expect, test } from "vitest";
import { bwrapArguments } from "./bwrap-arguments.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { sandboxExecProfile } from "../experimental/sandbox-exec-profile.ts";

const policy: SandboxPolicy = {
  workspace: "/work",
  readable: ["/"],
  writable: [
    { path: "/home/me/.haft/tmp", kind: "directory" },
    { path: "/work", kind: "directory" },
  ],
  pinned: ["/work/.git"],
  protected: [
    { path: "/work/.git/config", kind: "file" },
    { path: "/work/.git/hooks", kind: "directory" },
    { path: "/work/.mcp.json", kind: "file" },
  ],
  hidden: [
    { path: "/home/me/.haft", kind: "directory" },
    { path: "/home/me/.netrc", kind: "file" },
  ],
  granted: [{ path: "/srv/data", kind: "directory" }],
  searched: [],
  known: [],
  isSearchedInPart: false,
  hasOpenSecrets: false,
  watched: [{ path: "/work/.vscode" }],
  temporary: "/home/me/.haft/tmp",
  environment: { HOME: "/home/me" },
  network: { kind: "none" },
  limits: {},
  leftovers: "ended",
  revealed: [],
};

/** Formats one option per line. */
function shown(words: readonly string[]): string {
  return words.join(" ").replaceAll(/ (?=--)/gu, "\n");
}

test("mounts go from the whole to the exceptions, and masks are closed last", () => {
  expect(shown(bwrapArguments(policy, { links: [], kept: [] }))).toMatchInlineSnapshot(`
    "--die-with-parent
    --new-session
    --unshare-user
    --unshare-pid
    --unshare-ipc
    --unshare-uts
    --unshare-cgroup-try
    --unshare-net
    --disable-userns
    --cap-drop ALL
    --ro-bind / /
    --dev /dev
    --proc /proc
    --remount-ro /proc
    --tmpfs /run
    --bind /home/me/.haft/tmp /home/me/.haft/tmp
    --bind /work /work
    --bind /work/.git /work/.git
    --ro-bind /work/.mcp.json /work/.mcp.json
    --ro-bind /work/.git/config /work/.git/config
    --ro-bind /work/.git/hooks /work/.git/hooks
    --tmpfs /home/me/.haft
    --ro-bind /dev/null /home/me/.netrc
    --bind /home/me/.haft/tmp /home/me/.haft/tmp
    --bind /srv/data /srv/data
    --remount-ro /home/me/.haft
    --clearenv
    --setenv HOME /home/me"
  `);
});

test("an open network keeps its namespace and the files that name servers", () => {
  const words = bwrapArguments(
    { ...policy, network: { kind: "open" } },
    { links: [], kept: ["/run/resolve/stub.conf"] },
  );

  expect(words).not.toContain("--unshare-net");
  expect(shown(words)).toContain(
    "--tmpfs /run\n--ro-bind /run/resolve/stub.conf /run/resolve/stub.conf",
  );
});

test("what is left running is not ended with the command where it is to go on", () => {
  const kept = bwrapArguments({ ...policy, leftovers: "kept" }, { links: [], kept: [] });

  expect(kept).not.toContain("--die-with-parent");
});

test("of what is hidden, what is shown is read-only above the mask", () => {
  const revealed = [{ path: "/home/me/.haft/shown", kind: "directory" }] as const;

  expect(shown(bwrapArguments({ ...policy, revealed }, { links: [], kept: [] }))).toContain(
    "\n--ro-bind /home/me/.haft/shown /home/me/.haft/shown\n--bind /home/me/.haft/tmp",
  );
});

test("what is hidden below /run is masked only where it can be written, for the rest is gone", () => {
  const hidden = [
    { path: "/run/secrets", kind: "directory" },
    { path: "/run/user/0/open/key", kind: "file" },
  ] as const;
  const writable = [...policy.writable, { path: "/run/user/0/open", kind: "directory" }] as const;

  const words = shown(bwrapArguments({ ...policy, hidden, writable }, { links: [], kept: [] }));

  expect(words).not.toContain("/run/secrets");
  expect(words).toContain("--ro-bind /dev/null /run/user/0/open/key");
});

const mountOf = (more: Partial<SandboxPolicy>): string =>
  shown(bwrapArguments({ ...policy, hidden: [], granted: [], ...more }, { links: [], kept: [] }));
const grant = (path: string) => [{ path, kind: "file" }] as const;
const count = (text: string, option: string): number => text.split(option).length - 1;

test("only what is closed is opened by a mount of its own", () => {
  expect(count(mountOf({ granted: grant("/work/a") }), "--bind /work/a")).toBe(0);
  expect(count(mountOf({ granted: grant("/work/.mcp.json") }), "--bind /work/.mcp.json")).toBe(1);
  expect(count(mountOf({ granted: grant("/elsewhere") }), "--bind /elsewhere")).toBe(1);
  expect(count(mountOf({ writable: [] }), "/home/me/.haft/tmp")).toBe(0);
});

test("listed hosts do not open the network", () => {
  const network = { kind: "hosts", hosts: ["example.com"] } as const;

  expect(bwrapArguments({ ...policy, network }, { links: [], kept: [] })).toContain(
    "--unshare-net",
  );
});

test("narrowed reading binds the listed trees, and makes the links of the root", () => {
  const words = shown(
    bwrapArguments(
      { ...policy, readable: ["/usr", "/work"] },
      { links: [{ path: "/bin", text: "usr/bin" }], kept: [] },
    ),
  );

  expect(words).toContain("--ro-bind /usr /usr\n--ro-bind /work /work\n--symlink usr/bin /bin");
  expect(words).not.toContain("--ro-bind / /");
});

test("the profile for macOS says the same, and holds names that do not exist yet", () => {
  expect(sandboxExecProfile({ ...policy, workspace: "/work" })).toMatchInlineSnapshot(`
    "(version 1)
    (deny default)
    (allow process-exec process-fork)
    (allow signal (target same-sandbox))
    (allow sysctl-read)
    (allow file-read-metadata)
    (allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
    (allow file-read*)
    (allow file-write* (subpath "/home/me/.haft/tmp"))
    (allow file-write* (subpath "/work"))
    (allow file-write-data (literal "/dev/null"))
    (allow file-write-data (literal "/dev/zero"))
    (allow file-write-data (literal "/dev/tty"))
    (allow file-write-data (literal "/dev/dtracehelper"))
    (deny file-write* (literal "/work/.git/config"))
    (deny file-write* (subpath "/work/.git/hooks"))
    (deny file-write* (literal "/work/.mcp.json"))
    (deny file-write* (subpath "/work/.vscode"))
    (deny file-write-unlink (literal "/work/.git"))
    (deny file-read* file-write* (subpath "/home/me/.haft"))
    (deny file-read* file-write* (literal "/home/me/.netrc"))
    (allow file-read* file-write* (subpath "/home/me/.haft/tmp"))
    (allow file-read* file-write* (subpath "/srv/data"))
    "
  `);
});

test("the profile opens a network, and narrows reading, where the policy does", () => {
  const profile = sandboxExecProfile({
    ...policy,
    readable: ["/usr", "/work"],
    network: { kind: "open" },
  });

  expect(profile).toContain(
    '(allow file-read* (subpath "/usr"))\n(allow file-read* (subpath "/work"))',
  );
  expect(profile).not.toContain("(allow file-read*)");
  expect(profile.split("\n").slice(-5, -1)).toEqual([
    "(allow network-outbound (remote ip))",
    "(allow network-inbound (local ip))",
    "(allow network-bind (local ip))",
    '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  ]);
});

test("a path cannot end its own quotes in a profile", () => {
  const odd = { path: '/work/a") (allow default) ("', kind: "file" } as const;

  expect(sandboxExecProfile({ ...policy, hidden: [odd] })).toContain(
    String.raw`(deny file-read* file-write* (literal "/work/a\") (allow default) (\""))`,
  );
});
