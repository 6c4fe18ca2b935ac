/** Default directory of a workspace's records; with an id, those of a workspace on another host. */
export function defaultDataDirectory(home: string, workspace: string, hostId?: string): string {
  const name = workspace.slice(workspace.lastIndexOf("/") + 1).replaceAll(/[^\w.-]+/gu, "-");
  return `${dataDirectories(home)}/${name === "" ? "root" : name}-${workspaceId(workspace, hostId)}`;
}

/** Directory with the default data directories of all workspaces. */
export function dataDirectories(home: string): string {
  return `${home}/.local/share/haft`;
}

/** Id of a workspace in names of files; with an id of a host, that of a workspace there. */
export function workspaceId(workspace: string, hostId?: string): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(hostId === undefined ? workspace : `${hostId}\0${workspace}`)
    .digest("hex")
    .slice(0, 16);
}
