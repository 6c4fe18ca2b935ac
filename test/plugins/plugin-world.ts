import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { localHost } from "../../src/host/index.ts";
import { recordTrust, reviewTrust } from "../../src/workspace/trust/change-trust.ts";
import { haft, type Ended } from "../support/cli.ts";

/** Files by path, written with their directories; a text that begins with `#!` is executable. */
export type Files = Readonly<Record<string, string>>;

/** A workspace, a home directory and sources of plugins and skills, on this machine. */
export interface PluginWorld extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  /** Writes files below a directory of the world; returns its path. */
  write(directory: string, files: Files): Promise<string>;
  read(file: string): Promise<string | undefined>;
  /** Opens a kit that reads settings; its home directory is that of the world. */
  open(options?: ToolkitOptions): Promise<Kit>;
  /** Records that the workspace is trusted as it is now. */
  trust(): Promise<void>;
  git(directory: string, ...words: readonly string[]): void;
}

export async function pluginWorld(files: Files = {}): Promise<PluginWorld> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-plugins-")));
  const workspace = path.join(folder, "workspace");
  const home = path.join(folder, "home");
  const dataDirectory = path.join(folder, "data");
  vi.stubEnv("HOME", home);
  const opened: Kit[] = [];
  const hosts: AsyncDisposable[] = [];
  const openHost = async () => {
    const host = await localHost();
    hosts.push(host);
    return host;
  };
  const write: PluginWorld["write"] = async (directory, given) => {
    for (const [name, text] of Object.entries(given)) {
      const file = path.join(folder, directory, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      await chmod(file, text.startsWith("#!") ? 0o755 : 0o644);
    }
    return path.join(folder, directory);
  };
  await mkdir(workspace);
  await mkdir(home);
  await write("workspace", files);
  return {
    folder,
    workspace,
    home,
    write,
    read: async (file) => await readFile(path.join(folder, file), "utf8").catch(() => undefined),
    async open(options = {}) {
      const host = await openHost();
      const kit = await createToolkit({
        host,
        workspace,
        dataDirectory,
        settings: "load",
        ...options,
      });
      opened.push(kit);
      return kit;
    },
    async trust() {
      await using host = await localHost();
      const options = { host, workspace, dataDirectory };
      await recordTrust(options, (await reviewTrust(options)).files);
    },
    git(directory, ...words) {
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: "/nonexistent",
        GIT_CONFIG_NOSYSTEM: "1",
      };
      const own = [
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.com",
        "-c",
        "protocol.file.allow=always",
      ];
      execFileSync("git", ["-C", path.join(folder, directory), ...own, ...words], {
        env,
        stdio: "pipe",
      });
    },
    async [Symbol.asyncDispose]() {
      for (const kit of opened) await kit.dispose();
      for (const host of hosts) await host[Symbol.asyncDispose]();
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Files of a plugin with a part of every kind, which write the name of a canary into the workspace when they run. */
export function wholePlugin(name = "acme"): Files {
  const hook = { type: "command", command: "${CLAUDE_PLUGIN_ROOT}/scripts/check.sh" };
  return {
    ".claude-plugin/plugin.json": JSON.stringify({
      name,
      version: "1.0.0",
      description: "Checks.",
    }),
    "skills/greet/SKILL.md":
      "---\nname: greet\ndescription: Greets people.\nallowed-tools: Read\n---\nSay hi, see ${CLAUDE_PLUGIN_ROOT}/notes.md.\n",
    "commands/review.md": "---\ndescription: Reviews.\n---\nReview $1.\n",
    "agents/helper.md": "---\nname: helper\ndescription: Helps.\ntools: Read\n---\nHelp.\n",
    "hooks/hooks.json": JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] },
    }),
    "scripts/check.sh":
      '#!/bin/sh\ncat > /dev/null\necho "$CLAUDE_PLUGIN_ROOT" > "$CLAUDE_PROJECT_DIR/canary"\n',
    ".mcp.json": JSON.stringify({
      mcpServers: { files: { command: "${CLAUDE_PLUGIN_ROOT}/server.js", args: ["--fast"] } },
    }),
    ".lsp.json": JSON.stringify({ ts: { command: "ts-server" } }),
    "notes.md": "Notes.\n",
  };
}

/** Runs `haft` in the world. */
export async function haftIn(world: PluginWorld, ...words: readonly string[]): Promise<Ended> {
  const places = ["-C", world.workspace, "--data-dir", path.join(world.folder, "data")];
  return await haft([...words.slice(0, 1), ...places, ...words.slice(1)], { cwd: world.folder });
}
