import { realpathSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { loadPeer, peerFolder } from "./load-peer.ts";
import type { Loose, LooseCall, Subject } from "./subject.ts";

/** Its tools with its own configuration, as the program makes them; nothing asks a model. */
export async function openGemini(workspace: string): Promise<Subject> {
  // The program is shipped with ripgrep in this place, its library is not.
  const vendored = path.join(await peerFolder("gemini"), "vendor", "ripgrep");
  await mkdir(vendored, { recursive: true });
  await copyFile(rgPath, path.join(vendored, `rg-${process.platform}-${process.arch}`));
  process.env["HOME"] = path.resolve(".cache", "corpus-home");
  const gemini = await loadPeer("gemini");
  const settings = {
    sessionId: "bench",
    targetDir: workspace,
    cwd: workspace,
    debugMode: false,
    model: "none",
    interactive: false,
    approvalMode: "yolo",
    usageStatisticsEnabled: false,
    telemetry: { enabled: false },
    disableLLMCorrection: true,
  };
  const config = make(gemini, "Config", settings);
  await (config["storage"] as unknown as Loose)["initialize"]?.();
  // Only folders added explicitly may be read outside the workspace.
  const places = config["getWorkspaceContext"]?.() as Loose | undefined;
  places?.["addDirectory"]?.(realpathSync(".cache"));
  const bus = { subscribe: nothing, unsubscribe: nothing, publish: async () => undefined };
  const tools = new Map(
    ["RipGrepTool", "GlobTool", "ReadFileTool", "EditTool", "ShellTool"].map((name) => [
      name,
      make(gemini, name, config, bus),
    ]),
  );
  const call = async (name: string, input: object): Promise<string> => {
    const invocation = tools.get(name)?.["build"]?.(input) as Loose;
    // One signal in the older form of the call, one object in the newer.
    const signal = Object.assign(new AbortController().signal, {
      abortSignal: new AbortController().signal,
    });
    const result = (await invocation["execute"]?.(signal)) as {
      readonly llmContent?: unknown;
      readonly error?: { readonly message: string };
    };
    if (result.error !== undefined) throw new Error(result.error.message);
    return typeof result.llmContent === "string"
      ? result.llmContent
      : JSON.stringify(result.llmContent);
  };
  return {
    grep: async (pattern) => call("RipGrepTool", { pattern }),
    glob: async (pattern) => call("GlobTool", { pattern }),
    read: async (file_path, { offset, limit }) =>
      call("ReadFileTool", { file_path, start_line: offset, end_line: offset - 1 + limit }),
    edit: async (file_path, { from, to }) =>
      call("EditTool", {
        file_path,
        instruction: "Replace the line.",
        old_string: from,
        new_string: to,
      }),
    bash: async (command) => call("ShellTool", { command }),
    close: async () => undefined,
  };
}

function make(from: Loose, name: string, ...given: readonly unknown[]): Loose {
  const Made: LooseCall | undefined = from[name];
  if (Made === undefined) throw new TypeError(`It no longer exports ${name}.`);
  return new Made(...given);
}

function nothing(): void {}
