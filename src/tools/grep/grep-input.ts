import { z } from "zod";

const lineCount = (description: string) =>
  z.int().min(0).max(1000).optional().describe(description);

/** Beyond this a search is to be narrowed. */
export const maxOffset = 10_000;

export const Input = z.strictObject({
  pattern: z.string().min(1).describe("Regular expression, as ripgrep reads it."),
  path: z.string().optional().describe("File or folder to search. Default: the working directory."),
  glob: z
    .string()
    .optional()
    .describe("Only files that match this glob: *.ts, src/**, !*.test.ts."),
  type: z.string().optional().describe("Only files of this type: ts, js, py, go, rust, md."),
  output_mode: z
    .enum(["files_with_matches", "content", "count"])
    .optional()
    .describe(
      "files_with_matches (default) lists files, content shows lines, count says how often each file matches.",
    ),
  "-A": lineCount("Lines to show after each match, in content mode."),
  "-B": lineCount("Lines to show before each match, in content mode."),
  "-C": lineCount("Lines to show around each match, in content mode."),
  context: lineCount("The same as -C."),
  "-n": z.boolean().optional().describe("Line numbers in content mode. Default true."),
  "-i": z.boolean().optional().describe("Ignore letter case. Default false."),
  "-o": z.boolean().optional().describe("Only the matching part of each line. Default false."),
  literal: z
    .boolean()
    .optional()
    .describe("Take the pattern as plain text, not as a regular expression. Default false."),
  multiline: z
    .boolean()
    .optional()
    .describe("Let matches span lines; the dot then matches line breaks too. Default false."),
  head_limit: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      "Lines, or files outside content mode, to show. Default 250; 0 for as many as possible.",
    ),
  offset: z
    .int()
    .min(0)
    .max(maxOffset)
    .optional()
    .describe("First line or file to show, counting from 1. Default 1."),
  include_ignored: z
    .boolean()
    .optional()
    .describe(
      "Also search files that .gitignore names, and folders such as node_modules, dist and build. Default false.",
    ),
});

export type Input = z.infer<typeof Input>;

/** Other names models use for the same keys, most of them ripgrep's. */
export const inputAliases: Readonly<Record<string, readonly string[]>> = {
  pattern: ["query", "regex", "regexp", "search"],
  path: ["file_path", "filePath", "directory", "dir"],
  glob: ["include", "include_pattern", "file_pattern"],
  type: ["file_type", "fileType"],
  output_mode: ["outputMode", "mode"],
  "-A": ["after", "after_context", "lines_after", "A"],
  "-B": ["before", "before_context", "lines_before", "B"],
  "-C": ["lines_around", "C"],
  context: ["context_lines"],
  "-n": ["line_numbers", "n"],
  "-i": ["case_insensitive", "caseInsensitive", "ignore_case", "i"],
  "-o": ["only_matching", "o"],
  literal: ["fixed_strings", "fixed_string", "-F"],
  multiline: ["-U"],
  head_limit: ["headLimit", "max_results", "maxResults", "limit"],
  include_ignored: ["includeIgnored", "no_ignore"],
};
