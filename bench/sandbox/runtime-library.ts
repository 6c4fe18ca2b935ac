import { accessSync, constants } from "node:fs";
import path from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import { pathToFileURL } from "node:url";
import { installOnDemand } from "../../scripts/install-on-demand.ts";
import type { SandboxPolicy } from "../../src/sandbox/index.ts";

/** The published library that is compared with ours, installed into .cache. */
export const runtimeLibrary = { name: "@anthropic-ai/sandbox-runtime", version: "0.0.83" } as const;

/** System programs that it needs. */
const programs = ["bwrap", "socat", "rg"];

interface Manager {
  initialize(config: object): Promise<void>;
  wrapWithSandbox(command: string): Promise<string>;
  cleanupAfterCommand?(): void;
  reset(): Promise<void>;
}

export interface LibrarySubject {
  start(command: string): Promise<ChildProcess>;
  /** After each command, as its documentation says. */
  cleanUp(): void;
  end(): Promise<void>;
}

/** Holding what our policy does as far as it can; or the reason why it cannot be measured here. */
export async function openRuntimeLibrary(
  policy: SandboxPolicy,
): Promise<LibrarySubject | { readonly reason: string }> {
  const missing = programs.filter((name) => !isInstalled(name));
  if (missing.length > 0) return { reason: `${missing.join(", ")} not installed.` };
  try {
    const folder = await installOnDemand(runtimeLibrary);
    const main = pathToFileURL(path.join(folder, "dist/index.js")).href;
    const { SandboxManager: manager } = (await import(main)) as { SandboxManager: Manager };
    await manager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: {
        denyRead: policy.hidden.map((one) => one.path),
        allowWrite: policy.writable.map((one) => one.path),
        denyWrite: policy.protected.map((one) => one.path),
      },
    });
    return {
      start: async (command) => {
        const text = await manager.wrapWithSandbox(command);
        const options = { cwd: policy.workspace, env: { ...policy.environment } };
        return spawn("/bin/sh", ["-c", text], { ...options, stdio: "pipe" });
      },
      cleanUp: () => manager.cleanupAfterCommand?.(),
      end: async () => await manager.reset(),
    };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function isInstalled(name: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
