import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { isWithin } from "../../text/index.ts";
import { type Descriptor, type SandboxReport } from "../../core/index.ts";
import { missingProgram, systemEnvironment, systemProgram } from "../../programs/index.ts";
import { bwrapArguments, type RootLinks } from "./bwrap-arguments.ts";
import { kindAt, linkText, resolved } from "../policy/existing-path.ts";
import { gaps, pathGaps } from "../policy/gaps.ts";
import { inheritedDescriptors } from "../inherited-descriptors.ts";
import { hasLimits, limited } from "./resource-limits.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { privateFiles, type PrivateFiles } from "../private-files.ts";
import type { HostProxy } from "../proxy/host-proxy.ts";
import { hasSeccompProgram, seccompProgram } from "../seccomp/seccomp-program.ts";
import type { SandboxDriver } from "../sandbox.ts";
import { programCommand } from "../program-file.ts";

/** Fixed port: nothing else listens in a new network namespace. */
const port = 3128;
const address = `http://127.0.0.1:${port}`;

/** Prefix of a command that reaches listed hosts: a relay that listens inside and forwards through a descriptor. */
export function relayCommand(descriptor: number): readonly string[] {
  return [...programCommand("relay"), String(descriptor), String(port), "--"];
}

/** Names of this machine, which inside mean the programs of the sandbox. */
const ownNames = ["localhost", "127.0.0.1", "::1"];

/**
 * Variables that point programs to the proxy; there is no common one, so all of them are set. A name of this machine that
 * is listed means the one outside, so it is reached through the proxy too.
 */
function relayEnvironment(hosts: readonly string[]): Readonly<Record<string, string>> {
  const listed = hosts.map((host) => host.replace(/^\[(.*)\](?::\d+)?$|^([^:]*):\d+$/u, "$1$2"));
  const direct = ownNames.filter((name) => !listed.includes(name)).join(",");
  return Object.fromEntries([
    ...["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
      [name, address],
      [name.toUpperCase(), address],
    ]),
    ["NO_PROXY", direct],
    ["no_proxy", direct],
    ["NODE_USE_ENV_PROXY", "1"],
  ]);
}

/** Options for the filter and for the arguments that are the same for each command. */
const descriptorOptions = ["--seccomp", "3", "--args", "4"];

/** bubblewrap: enforces everything, by namespaces, mounts and a system call filter. */
export const bwrap: SandboxDriver = {
  name: "bwrap",
  filtersSystemCalls: true,
  confinesSearches: true,
  programs: ["bwrap"],
  missing: async () => {
    if (process.platform !== "linux") return { reason: "bubblewrap is for Linux." };
    if (!hasSeccompProgram()) return { reason: `There is no filter for ${process.arch}.` };
    if (systemProgram("bwrap") !== undefined) return undefined;
    return { reason: missingProgram("bwrap"), install: "apt-get install bubblewrap" };
  },
  version: bwrapVersion,
  report: bwrapReport,
  prepare: async (policy) => {
    const program = systemProgram("bwrap");
    if (program === undefined) throw new TypeError(missingProgram("bwrap"));
    const prlimit = systemProgram("prlimit");
    const files = await privateFiles(policy, { canLeaveOut: true });
    let proxy: HostProxy | undefined;
    try {
      const sockets = policy.network.kind === "none" ? "none" : "internet";
      const filter = await files.keep("filter", seccompProgram({ sockets }));
      const links = await rootLinks(policy);
      const keepMounts = async (name: string, each: SandboxPolicy): Promise<string> => {
        const options = [...bwrapArguments(each, links), ...withoutOthers(each, files)];
        return await files.keep(name, `${options.join("\0")}\0`);
      };
      const mounts = await keepMounts("arguments", policy);
      const { onOverlay } = policy;
      const overlayMounts =
        onOverlay === undefined
          ? mounts
          : await keepMounts("overlay-arguments", { ...policy, ...onOverlay });
      if (policy.network.kind === "hosts") {
        // Loaded on demand: `node:http` loads all of `fetch`, 12 MB.
        const { hostProxy } = await import("../proxy/host-proxy.ts");
        proxy = await hostProxy({ hosts: policy.network.hosts, directory: files.directory });
      }
      const relay = proxy === undefined ? [] : relayCommand(5);
      const relayed = policy.network.kind === "hosts" ? relayEnvironment(policy.network.hosts) : {};
      const descriptors = (path: string): readonly Descriptor[] => [
        { number: 3, kind: "file", path: filter },
        { number: 4, kind: "file", path },
        ...(proxy === undefined
          ? []
          : [{ number: 5, kind: "socket" as const, path: proxy.socketPath }]),
      ];
      const base = bwrapReport(policy);
      const hasNoLimits = hasLimits(policy.limits) && prlimit === undefined;
      const held = proxy;
      return {
        policy,
        directory: files.directory,
        report: hasNoLimits ? { ...base, gaps: [...base.gaps, ...gaps("limits")] } : base,
        wrap: (argv, { cwd = policy.workspace, env = {}, onOverlay: isStaged = false } = {}) => ({
          argv: [
            program,
            ...descriptorOptions,
            "--chdir",
            cwd,
            ...Object.entries({ ...relayed, ...env }).flatMap(([name, value]) => [
              "--setenv",
              name,
              value,
            ]),
            "--",
            ...relay,
            ...limited(policy.limits, prlimit),
            ...argv,
          ],
          cwd: "/",
          // bwrap itself runs outside: variables that a workspace may set must not reach its loader.
          env: {},
          descriptors: [
            ...descriptors(isStaged ? overlayMounts : mounts),
            ...inheritedDescriptors(held === undefined ? 4 : 5),
          ],
          // bwrap, the first process of its namespace, and the program.
          depth: 2,
        }),
        ...(held === undefined ? {} : { takeRefusals: () => held.takeRefusals() }),
        dispose: async () => {
          await held?.close();
          await files.dispose();
        },
      };
    } catch (error) {
      await proxy?.close();
      await files.dispose();
      throw error;
    }
  },
};

/**
 * Hides the private files of other sandboxes from a program: they contain pipes that a search prints into, and a
 * process that can name a pipe can write to it, read-only or not.
 */
function withoutOthers(
  { readable, writable, granted }: SandboxPolicy,
  { common, directory, others }: Pick<PrivateFiles, "common" | "directory" | "others">,
): readonly string[] {
  const trees = [...readable, ...[...writable, ...granted].map(({ path }) => path)];
  const isSeen = (path: string): boolean => trees.some((tree) => isWithin(tree, path));
  const also =
    others === undefined || !isSeen(others) ? [] : ["--tmpfs", others, "--remount-ro", others];
  if (!isSeen(common)) return also;
  return [...also, "--tmpfs", common, "--ro-bind", directory, directory, "--remount-ro", common];
}

function bwrapReport(policy: SandboxPolicy): SandboxReport {
  return {
    provider: "bwrap",
    filesystem: "enforced",
    network: policy.network.kind === "open" ? "granted" : "enforced",
    ipc: "enforced",
    process: policy.leftovers === "ended" ? "enforced" : "partial",
    undo: "none",
    gaps: gaps(
      ...pathGaps(policy),
      // The kernel removes a mask together with the name it is mounted on.
      policy.hidden.length + policy.protected.length > 0 && "replaced-paths",
      policy.leftovers === "kept" && "background",
      policy.network.kind === "hosts" && "proxy-only",
    ),
  };
}

async function bwrapVersion(): Promise<string | undefined> {
  const program = systemProgram("bwrap");
  if (program === undefined) return undefined;
  return await new Promise((done) => {
    execFile(program, ["--version"], { cwd: "/", env: systemEnvironment() }, (error, stdout) => {
      done(error === null ? stdout.trim().split(" ").at(-1) : undefined);
    });
  });
}

async function rootLinks(policy: SandboxPolicy): Promise<RootLinks> {
  const resolver = policy.network.kind === "open" ? resolved("/etc/resolv.conf") : undefined;
  const kept = resolver !== undefined && isWithin("/run", resolver.path) ? [resolver.path] : [];
  if (policy.readable.includes("/")) return { links: [], kept };
  const names = await readdir("/");
  const links = names
    .map((name) => `/${name}`)
    .filter((path) => kindAt(path) === "link")
    .map((path) => ({ path, text: linkText(path) }));
  return { links, kept };
}
