import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit, type ToolkitOptions } from "../../../src/index.ts";
import { typeScriptFlags } from "../../support/from-source.ts";
import type { Script } from "./scripted-server.ts";

const program = path.join(import.meta.dirname, "scripted-server.ts");

/** The settings of a server that behaves as the script says. */
export function serverEntry(script: Script): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return {
    command: process.execPath,
    args: [...typeScriptFlags, program, JSON.stringify(script)],
  };
}

export interface ServerWorld extends AsyncDisposable {
  readonly workspace: string;
  readonly dataDirectory: string;
  /** File to which a script with this `record` writes. */
  readonly record: string;
  records(): readonly string[];
  /** Opens a kit with these servers; it is disposed with the world. */
  open(servers: Readonly<Record<string, unknown>>, options?: ToolkitOptions): Promise<Kit>;
}

/** A workspace and a data directory for kits that use servers. */
export function serverWorld(): ServerWorld {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-mcp-"));
  const workspace = path.join(folder, "work");
  const dataDirectory = path.join(folder, "data");
  const record = path.join(workspace, "record");
  mkdirSync(workspace);
  writeFileSync(record, "");
  const kits: Kit[] = [];
  return {
    workspace,
    dataDirectory,
    record,
    records: () => readFileSync(record, "utf8").split("\n").filter(Boolean),
    async open(servers, options = {}) {
      const kit = await createToolkit({
        workspace,
        dataDirectory,
        sessions: "none",
        sandbox: { require: "off" },
        settings: { mcpServers: servers },
        ...options,
      });
      kits.push(kit);
      return kit;
    },
    async [Symbol.asyncDispose]() {
      for (const kit of kits) await kit.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
