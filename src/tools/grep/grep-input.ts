import { z } from "zod";
import { defaultLimits } from "../../core/index.ts";

const lineCount = (description: string) =>
  z.int().min(0).max(1000).optional().describe(description);

/** Maximum offset; beyond it the search should be narrowed. */
export const maxOffset = 10_000;

export const Input = z.strictObject({
  pattern: z.string().min(1).describe("Regular expression (ripgrep)."),
  path: z.string().optional().describe("File or directory. Default: the working directory."),
  glob: z.string().optional().describe("Only files such as *.ts, src/**, !*.test.ts."),
  type: z.string().optional().describe("Only files of a type: ts, js, py, go, rust."),
  output_mode: z
    .enum(["files_with_matches", "content", "count"])
    .optional()
    .describe("files_with_matches (default), content for lines, count for matches of each file."),
  "-A": lineCount("Lines after each match, in content mode."),
  "-B": lineCount("Lines before each match."),
  "-C": lineCount("Lines around each match."),
  "-n": z.boolean().optional().describe("Line numbers. Default true."),
  "-i": z.boolean().optional().describe("Ignore case."),
  "-o": z.boolean().optional().describe("Only the matching parts."),
  literal: z.boolean().optional().describe("The pattern is plain text."),
  multiline: z
    .boolean()
    .optional()
    .describe("Matches may span lines; the dot matches line breaks."),
  head_limit: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      `Lines or files to show. Default ${defaultLimits.grep.lines}; 0 for as many as possible.`,
    ),
  offset: z.int().min(0).max(maxOffset).optional().describe("First line or file to show, from 1."),
  include_ignored: z.boolean().optional().describe("Also ignored files and directories."),
});

export type Input = z.infer<typeof Input>;

/** Aliases that models use for the same keys, most of them ripgrep's. */
export const inputAliases: Readonly<Record<string, readonly string[]>> = {
  pattern: ["query", "regex", "regexp", "search"],
  path: ["file_path", "filePath", "directory", "dir"],
  glob: ["include", "include_pattern", "file_pattern"],
  type: ["file_type", "fileType"],
  output_mode: ["outputMode", "mode"],
  "-A": ["after", "after_context", "lines_after", "A"],
  "-B": ["before", "before_context", "lines_before", "B"],
  "-C": ["context", "context_lines", "lines_around", "C"],
  "-n": ["line_numbers", "n"],
  "-i": ["case_insensitive", "caseInsensitive", "ignore_case", "i"],
  "-o": ["only_matching", "o"],
  literal: ["fixed_strings", "fixed_string", "-F"],
  multiline: ["-U"],
  head_limit: ["headLimit", "max_results", "maxResults", "limit"],
  include_ignored: ["includeIgnored", "no_ignore"],
};
