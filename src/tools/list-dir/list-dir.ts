import { z } from "zod";
import { defineTool, limits } from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";
import { directoryAnswer } from "../files/directory-answer.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/paths/missing-path.ts";
import { notDirectory } from "../files/paths/wrong-kind.ts";

const Input = z.strictObject({
  path: z.string().optional().describe("Default: the working directory."),
  depth: z.int().min(1).max(10).optional().describe("Levels to show. Default 1."),
  ignore: z
    .array(z.string())
    .max(50)
    .optional()
    .describe("Entries to leave out, in gitignore syntax."),
  include_ignored: z
    .boolean()
    .optional()
    .describe("Also ignored files and what is in ignored directories."),
});

export const listDir = defineTool({
  name: "ListDir",
  displayName: "List directory",
  description: [
    "List a directory as a tree with file sizes.",
    "Ignored directories are named but not opened.",
    "To find files by name use Glob.",
  ].join(" "),
  category: "search",
  searchHint: "ls dir tree folder directory contents structure overview",
  input: Input,
  inputAliases: {
    path: ["directory", "dir", "dir_path", "file_path"],
    depth: ["max_depth", "maxDepth"],
    include_ignored: ["includeIgnored"],
  },
  touches: ["read"],
  staged: "files",
  effects: ({ path = "." }, context) => readingEffects(path, context, "tree"),
  signature: ({ path = ".", depth = 1 }) => `ListDir ${path} depth ${depth}`,

  async run({ path: wanted = ".", depth = 1, ignore = [], include_ignored = false }, context) {
    const { host, cwd, signal } = context;
    const path = await host.fs.canonical(wanted, { base: cwd, signal });
    const shown = displayPath(path, cwd);
    const stat = await statOrMissing(path, context);
    if (stat === undefined) throw await missingPath(path, context, wanted);
    if (stat.kind !== "directory") {
      throw notDirectory(shown, { hint: "Use Read to see a file.", kind: stat.kind });
    }
    const { entries: maxEntries } = context.service(limits).listDir;
    const request = { path, depth, ignore, includeIgnored: include_ignored, maxEntries };
    return directoryAnswer(request, context);
  },
});
