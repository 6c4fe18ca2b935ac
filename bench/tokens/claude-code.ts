import type { Format } from "./facts.ts";

/** As Claude Code's tools answer: from its documentation and from memory of its answers, not checked against a release. */
export const claudeCode: Format = (facts) => {
  const { tool, input, root, lines, firstLine, files, matches, entries, output } = facts;
  const path = `${root}/${String(input["file_path"])}`;
  switch (tool) {
    case "Read":
      return lines
        .map((line, at) => `${String(firstLine + at).padStart(6)}\u2192${line}`)
        .join("\n");
    case "Edit":
      return input["replace_all"] === true
        ? `The file ${path} has been updated. All occurrences were successfully replaced.`
        : `The file ${path} has been updated successfully.`;
    case "Write":
      return `File created successfully at: ${path}`;
    case "Glob":
      return files.length === 0
        ? "No files found"
        : files
            .slice(0, 100)
            .map((file) => `${root}/${file}`)
            .join("\n");
    case "Grep":
      if (input["output_mode"] !== "content") {
        return files.length === 0
          ? "No files found"
          : [`Found ${files.length} files`, ...files.slice(0, 250)].join("\n");
      }
      return matches.length === 0
        ? "No matches found"
        : matches
            .slice(0, 250)
            .map((each) => `${each.path}:${each.line}:${each.text}`)
            .join("\n");
    case "ListDir":
      return entries.map(({ name }) => name).join("\n");
    default:
      return output;
  }
};
