import { baseName } from "../../text/index.ts";
import { ToolError, type EndedProgram, type Host } from "../../core/index.ts";

/** Messages by which programs report that a path to delete is in use. */
const busy = /device or resource busy|\bEBUSY\b|\bErrno 16\b|\bos error 16\b/iu;

/**
 * Returns notes if programs on an overlay tried to delete one of the directories: their output says so, or they failed
 * and the directory has been empty since `since`, in milliseconds of the epoch. Empty if they did not.
 */
export async function keptInPlace(
  ended: readonly EndedProgram[],
  paths: readonly string[],
  { host, since }: { readonly host: Pick<Host, "fs">; readonly since: number },
): Promise<readonly string[]> {
  const failed = ended.filter(({ code }) => code !== 0);
  if (failed.length === 0) return [];
  const kept: string[] = [];
  for (const path of paths) {
    const isSaid = ({ stderr }: EndedProgram): boolean =>
      stderr.split("\n").some((line) => busy.test(line) && line.includes(baseName(path)));
    if (failed.some(isSaid) || (await isEmptySince(path, since, host))) kept.push(path);
  }
  return kept.map(
    (path) =>
      `Commands change ${path} directly through a mount, so they can empty it but not remove it; ` +
      `one that says so, like rm -rf ${baseName(path)}, runs straight and can.`,
  );
}

async function isEmptySince(path: string, since: number, host: Pick<Host, "fs">): Promise<boolean> {
  try {
    const { kind, mtimeMs } = await host.fs.stat(path);
    if (kind !== "directory" || mtimeMs < since) return false;
    for await (const _ of host.fs.list(path)) return false;
    return true;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}
