import path from "node:path";
import { localHost } from "../../src/host/index.ts";
import { toolBench } from "../../src/testing/index.ts";
import { applyPatch } from "../../src/tools/apply-patch/apply-patch.ts";
import { edit } from "../../src/tools/edit/edit.ts";
import { write } from "../../src/tools/write/write.ts";

export type ChangingTool = "Edit" | "Write" | "ApplyPatch";
export type FileAge = "old" | "new";

export const crashFile = "a.txt";
const body = `${"x".repeat(60)}\n`.repeat(2000);

/** The whole content of the file before and after a change. */
export function contentOf(age: FileAge): string {
  return `${age}\n${body}`;
}

export interface Change {
  readonly folder: string;
  readonly from: FileAge;
}

/** Changes the file from one age to the other by a tool, on a host of its own. */
export async function changeBy(tool: ChangingTool, { folder, from }: Change): Promise<void> {
  const host = await localHost();
  const bench = toolBench({ host, workspace: folder });
  const file = path.join(folder, crashFile);
  const to = from === "old" ? "new" : "old";
  const { hash } = await host.fs.readFile(file);
  bench.seenFiles.saw(file, { hash });
  switch (tool) {
    case "Edit":
      await bench.call(edit, { file_path: file, old_string: `${from}\n`, new_string: `${to}\n` });
      return;
    case "Write":
      await bench.call(write, { file_path: file, content: contentOf(to) });
      return;
    case "ApplyPatch": {
      const lines = [`*** Update File: ${crashFile}`, "@@", `-${from}`, `+${to}`];
      const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
      await bench.call(applyPatch, { patch });
    }
  }
}
