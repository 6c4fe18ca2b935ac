import { ToolError, type HostFs } from "../../core/index.ts";

/** Maximum number of processes that are counted. */
const maxProcesses = 200;
const pageBytes = 4096;

/** Bytes of memory that a process and everything it started uses; undefined where the system does not say. */
export async function memoryOf(fs: HostFs, pid: number): Promise<number | undefined> {
  const waiting = [pid];
  let bytes: number | undefined;
  for (let count = 0; count < maxProcesses; count += 1) {
    const next = waiting.pop();
    if (next === undefined) break;
    const pages = (await read(fs, `/proc/${next}/statm`))?.split(" ")[1];
    if (pages !== undefined) bytes = (bytes ?? 0) + Number(pages) * pageBytes;
    const children = await read(fs, `/proc/${next}/task/${next}/children`);
    for (const child of children?.split(" ") ?? []) {
      if (/^\d+$/u.test(child)) waiting.push(Number(child));
    }
  }
  return bytes;
}

async function read(fs: HostFs, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fs.readRange(path, { offset: 0, length: 4096 }));
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
