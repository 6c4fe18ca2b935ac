import type { ToolContext, ToolResult } from "../../core/index.ts";
import { counted, displayPath, grouped } from "./paths/display-path.ts";
import {
  directoryNotes,
  directoryTree,
  printDirectory,
  type DirectoryTreeRequest,
} from "./directory-tree.ts";

/** Lists a directory: a tree with sizes, counts, and a hint on how to see the rest. */
export async function directoryAnswer(
  request: DirectoryTreeRequest,
  context: ToolContext,
): Promise<ToolResult> {
  const { path, depth } = request;
  const { cwd } = context;
  const shown = displayPath(path, cwd);
  const tree = await directoryTree(request, context);
  const { files, folders, notShown, ignored, withheld } = tree;
  const told = `${counted(folders, "directory")}, ${counted(files, "file")}`;
  const counts = notShown === 0 ? told : `${told} shown, ${grouped(notShown)} more not`;
  const heading = shown.endsWith("/") ? shown : `${shown}/`;
  const isEmpty = tree.root.children.length === 0;
  const lines = isEmpty
    ? [`${heading} is empty.`]
    : [`${heading} (${counts})`, printDirectory(tree)];
  const notes = directoryNotes(tree, depth);
  if (notes.length > 0) lines.push(`(${notes.join(" ")})`);
  return {
    content: lines.join("\n"),
    title: `Listed ${shown}`,
    summary: isEmpty ? "empty" : counts,
    metadata: { path, cwd, files, folders, notShown, ignored, withheld },
  };
}
