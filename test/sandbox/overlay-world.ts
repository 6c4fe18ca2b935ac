import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Confined, StagedChanges } from "../../src/core/index.ts";
import { runConfined, type RunResult } from "../../src/sandbox/index.ts";
import { namespaceProcesses } from "../../src/sandbox/overlay/mount/namespace-processes.ts";
import {
  prepareOverlay,
  type Overlay,
  type OverlayOptions,
} from "../../src/sandbox/overlay/overlay.ts";
import type { OverlayForm } from "../../src/sandbox/overlay/mount/namespace-form.ts";
import { probeOverlay } from "../../src/sandbox/overlay/probe-overlay.ts";

/** The forms that work here; why not is printed. */
export const forms = await workingForms();

async function workingForms(): Promise<readonly OverlayForm[]> {
  const directory = realpathSync(tmpdir());
  const isRoot = process.getuid?.() === 0;
  const wanted: readonly OverlayForm[] = isRoot ? ["mount", "user"] : ["user"];
  const found: OverlayForm[] = [];
  for (const form of wanted) {
    const missing = await probeOverlay({ directory, form });
    if (missing === undefined) found.push(form);
    else process.stderr.write(`No overlay of the form "${form}": ${missing.reason}\n`);
  }
  return found;
}

/** A real tree, a staging directory next to it, and all that is needed to compare. */
export class OverlayWorld {
  readonly base: string;
  readonly root: string;
  readonly staging: string;
  readonly #overlays: Overlay[] = [];
  readonly #tags = new Set<string>();

  constructor(where = tmpdir()) {
    this.base = mkdtempSync(path.join(realpathSync(where), "haft-staged-"));
    this.root = this.at("real");
    this.staging = this.at("staging");
    mkdirSync(this.root);
    mkdirSync(this.staging);
  }

  at(name: string): string {
    return path.join(this.base, name);
  }

  async overlay(options: Partial<OverlayOptions> = {}): Promise<Overlay> {
    const overlay = await prepareOverlay({
      roots: [this.root],
      staging: this.staging,
      ...options,
    });
    this.#overlays.push(overlay);
    for (const name of readdirSync(this.staging)) this.#tags.add(name);
    return overlay;
  }

  /** Changes as short lines. */
  told({ changes }: StagedChanges): readonly string[] {
    return changes.map(({ path: at, to }) => {
      const name = path.relative(this.root, at);
      if (to.kind === "file") return `${name} ${readFileSync(to.source, "utf8").trim()}`;
      return to.kind === "symlink" ? `${name} -> ${to.target}` : `${name} ${to.kind}`;
    });
  }

  /** Runs a shell script in the root, on an overlay. */
  async run(overlay: Overlay, script: string, cwd = this.root): Promise<RunResult> {
    const argv = ["/bin/sh", "-c", script];
    return await this.start(await overlay.confinement.wrap(argv, { cwd, env: environment }));
  }

  async start(confined: Confined): Promise<RunResult> {
    return await runConfined(confined, { timeoutMs: 60_000 });
  }

  /** Runs it in the root itself, or in another directory. */
  runStraight(script: string, cwd = this.root): { code: number | null; stdout: string } {
    const { status, stdout } = spawnSync("/bin/sh", ["-c", script], { cwd, env: environment });
    return { code: status, stdout: stdout.toString("utf8") };
  }

  /** A copy with the same modes, dates and links. */
  copy(from: string, to: string): string {
    execFileSync("cp", ["-a", this.at(from), this.at(to)]);
    return this.at(to);
  }

  /** Fails where an overlay left anything behind. */
  async end(): Promise<void> {
    for (const overlay of this.#overlays) await overlay.drop();
    const left = [
      ...readdirSync(this.staging),
      ...[...this.#tags].flatMap((tag) => namespaceProcesses(tag).map((pid) => `process ${pid}`)),
      ...readFileSync("/proc/self/mountinfo", "utf8")
        .split("\n")
        .filter((line) => line.includes(this.base)),
    ];
    rmSync(this.base, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Left behind: ${left.join(", ")}`);
  }
}

/** Everything a script could depend on is said. */
export const environment: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C",
  TZ: "UTC",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "c",
  GIT_COMMITTER_EMAIL: "c@example.com",
  GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_COUNT: "4",
  GIT_CONFIG_KEY_0: "init.defaultBranch",
  GIT_CONFIG_VALUE_0: "main",
  GIT_CONFIG_KEY_1: "advice.detachedHead",
  GIT_CONFIG_VALUE_1: "false",
  GIT_CONFIG_KEY_2: "protocol.file.allow",
  GIT_CONFIG_VALUE_2: "always",
  // Newer ones tidy up after a commit has ended, while what it made is compared.
  GIT_CONFIG_KEY_3: "maintenance.autoDetach",
  GIT_CONFIG_VALUE_3: "false",
  SOURCE_DATE_EPOCH: "1577836800",
};

/**
 * A tree as lines that can be compared. Dates of files count as far as they are older than `now`; those of
 * directories do not, because applying a change sets them again.
 */
export function listed(
  root: string,
  {
    now = Number.POSITIVE_INFINITY,
    leaveOut = () => false,
  }: {
    readonly now?: number;
    readonly leaveOut?: (name: string) => boolean;
  } = {},
): readonly string[] {
  const firstNames = new Map<number, string>();
  const lines: string[] = [];
  const visit = (name: string): void => {
    if (leaveOut(name)) return;
    const file = path.join(root, name);
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) {
      lines.push(`${name}/ ${mode}`);
      for (const entry of readdirSync(file).toSorted()) visit(path.join(name, entry));
    } else if (stat.isSymbolicLink()) {
      lines.push(`${name} -> ${readlinkSync(file)}`);
    } else if (stat.isFile()) {
      const first = firstNames.get(stat.ino) ?? name;
      firstNames.set(stat.ino, first);
      const date = stat.mtimeMs < now - 1000 ? stat.mtimeMs : "now";
      const tie = first === name ? "" : ` is ${first}`;
      lines.push(`${name} ${mode} ${date} ${hashOf(file)}${tie}`);
    } else lines.push(`${name} other`);
  };
  visit("");
  return lines;
}

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
}

/** Brings staged changes to `target`, a tree that is like `root`, in the plainest way. */
export function applied(
  { changes }: StagedChanges,
  { root, target }: { readonly root: string; readonly target: string },
): void {
  const all = changes.map(({ path: name, to }) => ({ at: target + name.slice(root.length), to }));
  for (const { at, to } of all.toReversed()) if (to.kind === "absent") removeOne(at);
  for (const { at, to } of all) {
    switch (to.kind) {
      case "absent":
        break;
      case "directory":
        if (existsSync(at) && !lstatSync(at).isDirectory()) unlinkSync(at);
        if (!existsSync(at)) {
          removeOne(at);
          mkdirSync(at);
        }
        break;
      case "file":
        if (isDirectory(at)) rmdirSync(at);
        renameSync(to.source, at);
        break;
      case "symlink":
        removeOne(at);
        symlinkSync(to.target, at);
    }
  }
  for (const { at, to } of all) if (to.kind === "directory") chmodSync(at, to.mode);
}

function isDirectory(at: string): boolean {
  return lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
}

function removeOne(at: string): void {
  if (isDirectory(at)) rmdirSync(at);
  else rmSync(at, { force: true });
}
