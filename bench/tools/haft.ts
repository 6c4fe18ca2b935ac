import path from "node:path";
import type * as Haft from "../../src/index.ts";
import type { Subject } from "./subject.ts";

/** haft as it is published, every call through the whole pipeline, journal and event log included. */
export async function openHaft(workspace: string): Promise<Subject> {
  const built = new URL("../../dist/index.js", import.meta.url).href;
  const { createToolkit } = (await import(built)) as typeof Haft;
  const options = {
    workspace,
    mode: "bypassPermissions",
    additionalDirectories: [path.resolve(".cache")],
    dataDirectory: path.resolve(".cache", "corpus-data"),
  } as const;
  const confined = await createToolkit(options);
  // No peer confines what it starts, so the comparison leaves it out.
  const kit = await createToolkit({ ...options, sandbox: { require: "off", overlay: "off" } });
  const call = callOf(kit);
  const prepared = new Set<string>();
  return {
    grep: async (pattern) => call("Grep", { pattern, output_mode: "content" }),
    glob: async (pattern) => call("Glob", { pattern }),
    read: async (file_path, page) => call("Read", { file_path, ...page }),
    async prepareEdit(file_path) {
      if (prepared.has(file_path)) return;
      prepared.add(file_path);
      for (const offset of [1, 119_900]) {
        await call("Read", { file_path, offset, limit: 500 }).catch(() => undefined);
      }
    },
    edit: async (file_path, { from, to }) =>
      call("Edit", { file_path, old_string: from, new_string: to }),
    bash: async (command) => call("Bash", { command }),
    confinedGrep: async (pattern) => callOf(confined)("Grep", { pattern, output_mode: "content" }),
    confined: async (command) => callOf(confined)("Bash", { command }),
    close: async () => {
      await kit[Symbol.asyncDispose]();
      await confined[Symbol.asyncDispose]();
    },
  };
}

const callOf =
  (kit: Haft.Toolkit) =>
  async (name: string, input: object): Promise<string> => {
    const outcome = await kit.call({ name, input });
    if (outcome.status !== "ok") throw new Error(outcome.text);
    return outcome.text;
  };
