import { ToolError, type HostFs } from "../../core/index.ts";

/** Whether an error of a host says that nothing is at a path. */
export function isNotFound(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY");
}

/** Whether something is at a path, or may be where it cannot be checked: the next access reports the reason. */
export async function mayExist(fs: Pick<HostFs, "stat">, path: string): Promise<boolean> {
  return await fs.stat(path).then(
    () => true,
    (error: unknown) => !isNotFound(error),
  );
}

/** Whether something can be seen at a path; false where it cannot be checked. */
export async function pathExists(fs: Pick<HostFs, "stat">, path: string): Promise<boolean> {
  return await fs.stat(path).then(
    () => true,
    () => false,
  );
}
