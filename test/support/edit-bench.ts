import { read } from "../../src/tools/read/read.ts";
import { toolBench, type ToolBench } from "../../src/testing/index.ts";

export const bytesOf = async (bench: ToolBench, path: string): Promise<Buffer> =>
  Buffer.from((await bench.host.fs.readFile(`/project/${path}`)).bytes);

/** A bench in which one file was read. */
export async function seen(content: string | Uint8Array, page: object = {}): Promise<ToolBench> {
  const bench = toolBench({ files: { "a.ts": content } });
  await bench.call(read, { file_path: "a.ts", ...page });
  return bench;
}

export const change = (old_string: string, new_string: string, more: object = {}) => ({
  file_path: "a.ts",
  old_string,
  new_string,
  ...more,
});

export const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
