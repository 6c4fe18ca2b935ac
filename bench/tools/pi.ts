import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { loadPeer, textOf } from "./load-peer.ts";
import type { Loose, Subject } from "./subject.ts";

/** Finding files needs a program it downloads, so that row is missing. */
export async function openPi(workspace: string): Promise<Subject> {
  // It takes the ripgrep of the system.
  process.env["PATH"] = `${path.dirname(rgPath)}${path.delimiter}${process.env["PATH"] ?? ""}`;
  const pi = await loadPeer("pi");
  const tools = new Map(
    ["Grep", "Read", "Edit", "Bash"].map((name) => [name, pi[`create${name}Tool`]?.(workspace)]),
  );
  const call = async (name: string, input: object): Promise<string> => {
    const tool = tools.get(name) as Loose | undefined;
    return textOf(await tool?.["execute"]?.("call", input));
  };
  return {
    grep: async (pattern) => call("Grep", { pattern, path: workspace }),
    read: async (file, page) => call("Read", { path: file, ...page }),
    edit: async (file, { from, to }) =>
      call("Edit", { path: file, edits: [{ oldText: from, newText: to }] }),
    bash: async (command) => call("Bash", { command }),
    close: async () => undefined,
  };
}
