import { baseName } from "../../text/index.ts";
import { ToolError, type EndedProgram, type Host } from "../../core/index.ts";

/** How a system says that what is to go is in use. */
const busy = /device or resource busy|\bEBUSY\b|\bErrno 16\b|\bos error 16\b/iu;

/**
 * What is told where programs on an overlay have tried to take one of some folders away: they say so, or it is empty
 * since `since`, milliseconds of the epoch, and they failed. Empty where they did not.
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
      `Commands change ${path} directly and find it bound into its place, so they can empty it and not take it away; ` +
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
