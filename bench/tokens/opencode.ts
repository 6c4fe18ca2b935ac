import { byFile, type Format } from "./facts.ts";

/** As opencode's tools answer: from its documentation and from memory of its answers, not checked against a release. */
export const opencode: Format = (facts) => {
  const { tool, input, root, lines, firstLine, totalLines, files, matches, entries, output } =
    facts;
  const path = `${root}/${String(input["file_path"])}`;
  switch (tool) {
    case "Read": {
      const last = firstLine + lines.length - 1;
      const end =
        last < totalLines
          ? `(Showing lines ${firstLine}-${last} of ${totalLines}. Use offset=${last + 1} to continue.)`
          : `(End of file - total ${totalLines} lines)`;
      return `<path>${path}</path>\n<type>file</type>\n<content>\n${lines.map((line, at) => `${firstLine + at}: ${line}`).join("\n")}\n\n${end}\n</content>`;
    }
    case "Edit":
      return "Edit applied successfully.";
    case "Write":
      return "Wrote file successfully.";
    case "Glob":
      return files.length === 0
        ? "No files found"
        : files
            .slice(0, 100)
            .map((file) => `${root}/${file}`)
            .join("\n");
    case "Grep": {
      if (matches.length === 0) return "No files found";
      const shown = matches.slice(0, 100);
      const blocks = [...byFile(shown)].map(
        ([file, found]) =>
          `${root}/${file}:\n${found.map(({ line, text }) => `  Line ${line}: ${text}`).join("\n")}`,
      );
      return `Found ${matches.length} matches${matches.length > 100 ? " (showing first 100)" : ""}\n${blocks.join("\n\n")}`;
    }
    case "ListDir":
      return `<path>${root}</path>\n<type>directory</type>\n<entries>\n${entries.map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name)).join("\n")}\n\n(${entries.length} entries)\n</entries>`;
    default:
      return output;
  }
};
