import { byFile, type Facts, type Format } from "./facts.ts";

const maxMatches = 100;
/** Lines around a change that the answer of an edit shows. */
const contextLines = 5;

/**
 * As gemini-cli's tools answer: checked against the code of @google/gemini-cli-core 0.61.0. The lines that it adds around
 * one to three matches are left out, since no search of the job finds so few.
 */
export const geminiCli: Format = (facts) => {
  const { tool, input, root, lines, firstLine, totalLines, files, matches, entries, output } =
    facts;
  const path = `${root}/${String(input["file_path"])}`;
  switch (tool) {
    case "Read": {
      const last = firstLine + lines.length - 1;
      const isPart = firstLine > 1 || last < totalLines;
      const heading = isPart
        ? `\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ${firstLine}-${last} of ${totalLines} total lines.\nAction: To read more of the file, you can use the 'start_line' and 'end_line' parameters in a subsequent 'read_file' call. For example, to read the next section of the file, use start_line: ${last + 1}.\n\n--- FILE CONTENT (truncated) ---\n`
        : "";
      return heading + lines.join("\n");
    }
    case "Edit":
      return `Successfully modified file: ${path} (${facts.replaced} replacements). Here is the updated code:\n${changedPart(facts)}`;
    case "Write":
      return `Successfully created and wrote to new file: ${path}. Here is the updated code:\n${String(input["content"])}`;
    case "Glob":
      return files.length === 0
        ? `No files found matching pattern "${String(input["pattern"])}" within ${root}`
        : `Found ${files.length} file(s) matching "${String(input["pattern"])}" within ${root}, sorted by modification time (newest first):\n${files.map((file) => `${root}/${file}`).join("\n")}`;
    case "Grep": {
      const where = `for pattern "${String(input["pattern"])}" in path "."`;
      if (matches.length === 0) return `No matches found ${where}.`;
      const shown = matches.slice(0, maxMatches);
      const limited =
        shown.length === maxMatches
          ? ` (results limited to ${maxMatches} matches for performance)`
          : "";
      const found = byFile(shown);
      if (input["output_mode"] !== "content") {
        return `Found ${found.size} files with matches ${where}${limited}:\n${[...found.keys()].join("\n")}`;
      }
      const blocks = [...found].map(
        ([file, lineMatches]) =>
          `File: ${file}\n${lineMatches.map(({ line, text }) => `L${line}: ${text.trimEnd()}`).join("\n")}\n---`,
      );
      return `Found ${shown.length} ${shown.length === 1 ? "match" : "matches"} ${where}${limited}:\n---\n${blocks.join("\n")}`;
    }
    case "ListDir":
      return `Directory listing for ${root}:\n${entries.map(({ name, isDirectory, size }) => (isDirectory ? `[DIR] ${name}` : `${name} (${size} bytes)`)).join("\n")}`;
    default:
      return `<untrusted_context>\nOutput: ${output || "(empty)"}\nProcess Group PGID: 12345\n</untrusted_context>`;
  }
};

/** The changed lines with some around them, and three dots where lines are left out. */
function changedPart({ linesAfter, changedLines }: Facts): string {
  const shown = new Set<number>();
  for (const at of changedLines) {
    for (let line = at - contextLines; line <= at + contextLines; line += 1) shown.add(line);
  }
  const parts: string[] = [];
  let isLeftOut = false;
  for (const [at, line] of linesAfter.entries()) {
    if (shown.has(at)) parts.push(line);
    else if (!isLeftOut) parts.push("...");
    isLeftOut = !shown.has(at);
  }
  return parts.join("\n");
}
