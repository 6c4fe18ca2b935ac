import { byFile, type Format } from "./facts.ts";

/** As gemini-cli's tools answer (sources of @google/gemini-cli-core 0.61). */
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
      return `Successfully modified file: ${path} (${facts.replaced} replacements).`;
    case "Write":
      return `Successfully created and wrote to new file: ${path}.`;
    case "Glob":
      return files.length === 0
        ? `No files found matching pattern "${String(input["pattern"])}" within ${root}`
        : `Found ${files.length} file(s) matching "${String(input["pattern"])}" within ${root}, sorted by modification time (newest first):\n${files.map((file) => `${root}/${file}`).join("\n")}`;
    case "Grep": {
      const pattern = String(input["pattern"]);
      if (matches.length === 0)
        return `No matches found for pattern "${pattern}" in the workspace directory.`;
      const shown = matches.slice(0, 100);
      if (input["output_mode"] !== "content") {
        return `Found ${files.length} files with matches for pattern "${pattern}" in the workspace directory:\n${files.join("\n")}`;
      }
      const blocks = [...byFile(shown)].map(
        ([file, found]) =>
          `File: ${file}\n${found.map(({ line, text }) => `L${line}: ${text}`).join("\n")}\n---`,
      );
      return `Found ${shown.length} matches for pattern "${pattern}" in the workspace directory:\n---\n${blocks.join("\n")}`;
    }
    case "ListDir":
      return `Directory listing for ${root}:\n${entries.map(({ name, isDirectory, size }) => (isDirectory ? `[DIR] ${name}` : `${name} (${size} bytes)`)).join("\n")}`;
    default:
      return `Output: ${output}\nProcess Group PGID: 12345`;
  }
};
