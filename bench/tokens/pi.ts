import type { Format } from "./facts.ts";

/**
 * As pi's tools answer: checked against the code of @mariozechner/pi-coding-agent 0.73.1. Its limits of 50 kB for an
 * answer and of 500 characters for a line of Grep are left out, since
 */
export const pi: Format = (facts) => {
  const { tool, input, lines, firstLine, totalLines, files, matches, entries, output } = facts;
  const path = String(input["file_path"]);
  switch (tool) {
    case "Read": {
      const last = firstLine + lines.length - 1;
      const more = totalLines - last;
      const note =
        more > 0 ? `\n\n[${more} more lines in file. Use offset=${last + 1} to continue.]` : "";
      return lines.join("\n") + note;
    }
    case "Edit":
      return `Successfully replaced 1 block(s) in ${path}.`;
    case "Write":
      return `Successfully wrote ${String(input["content"]).length} bytes to ${path}`;
    case "Glob":
      return files.length === 0 ? "No files found matching pattern" : files.join("\n");
    case "Grep": {
      if (matches.length === 0) return "No matches found";
      const shown = matches.slice(0, 100).map((each) => `${each.path}:${each.line}: ${each.text}`);
      const note =
        matches.length > 100
          ? "\n\n[100 matches limit reached. Use limit=200 for more, or refine pattern]"
          : "";
      return shown.join("\n") + note;
    }
    case "ListDir":
      return entries.map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name)).join("\n");
    default:
      return output === "" ? "(no output)" : output;
  }
};
