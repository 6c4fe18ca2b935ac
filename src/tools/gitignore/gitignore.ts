import { z } from "zod";
import {
  defineTool,
  seenFiles,
  ToolError,
  type Effect,
  type EffectContext,
  type ToolContext,
} from "../../core/index.ts";
import { counted, displayPath } from "../files/paths/display-path.ts";
import { statOrMissing } from "../files/paths/missing-path.ts";
import { strayName } from "../files/paths/suspicious-name.ts";
import { takenLiterally } from "../files/paths/literal-names.ts";
import { decodeText, encodeText } from "../files/encodings/text-encoding.ts";
import { unifiedDiff } from "../files/unified-diff.ts";
import { addPatterns, type Added } from "./add-patterns.ts";
import { askGit, checkIgnore, gitStart, type GitStart, type IgnoreAnswer } from "./ask-git.ts";
import { ignoreFilesOf, readIgnoreFiles } from "./read-ignore-files.ts";

const Shape = z.strictObject({
  action: z.enum(["add", "check"]).describe("Add or check."),
  patterns: z.array(z.string()).min(1).max(200).optional().describe("To add: dist/, *.log."),
  paths: z.array(z.string().min(1)).min(1).max(200).optional().describe("To check."),
  file: z.string().min(1).default(".gitignore").describe("File to add to."),
});

/** Validated before the user is asked. */
const Input = Shape.superRefine(({ action, patterns, paths }, check) => {
  const needed = action === "add" ? "patterns" : "paths";
  if ((action === "add" ? patterns : paths) !== undefined) return;
  check.addIssue({
    code: "custom",
    path: [needed],
    message: `${action} needs ${needed}, a list of texts`,
  });
});

type Input = z.infer<typeof Input>;

/** Git to use for each call, found while its effects were listed. */
const starts = new WeakMap<object, GitStart>();

export const gitignore = defineTool({
  name: "Gitignore",
  displayName: "Ignore files",
  description: "Add patterns to .gitignore, or check whether paths are ignored, and why.",
  category: "files",
  searchHint: "git ignore gitignore exclude untracked pattern add check",
  input: Input,
  inputAliases: { patterns: ["pattern"], paths: ["path", "files"], file: ["file_path"] },
  touches: ["read", "write", "execute"],
  staged: "files",
  needs: [seenFiles],
  effects: (input, context) => effectsOf(input, context),
  signature: ({ action, patterns = [], paths = [] }) =>
    `Gitignore ${action} ${[...patterns, ...paths].join(" ")}`,

  async run(input, context) {
    if (input.action === "check") return checked(input, context);
    const target = await openTarget(input, context);
    if (target.added.length > 0) await write(target, context);
    return addedAnswer(target, input.patterns ?? []);
  },
});

async function effectsOf(input: Input, context: EffectContext): Promise<readonly Effect[]> {
  if (input.action === "check") {
    const { paths = [] } = input;
    const start = await gitStart(context);
    if (start !== undefined) starts.set(input, start);
    const files = await ignoreFilesOf(paths, context);
    return [
      ...[...paths, ...files].map((path): Effect => ({ kind: "read", path, scope: "file" })),
      {
        kind: "execute",
        argv: checkIgnore,
        assigns: [],
        via: [],
        consequences: "listed",
        span: { start: 0, end: 0 },
      },
    ];
  }
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(input.file, { base: cwd, signal });
  const exists = (await statOrMissing(path, context)) !== undefined;
  return [
    { kind: "read", path: input.file, scope: "file" },
    { kind: "write", path: input.file, scope: "file", change: exists ? "modify" : "create" },
  ];
}

interface Target extends Added {
  readonly path: string;
  readonly shown: string;
  /** Null if the file does not exist yet. */
  readonly hash: string | null;
  readonly before: string;
}

async function openTarget(input: Input, context: ToolContext): Promise<Target> {
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(input.file, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  const patterns = input.patterns ?? [];
  if ((await statOrMissing(path, context)) === undefined) {
    const literally = takenLiterally(input.file, host.info.home);
    if (literally !== undefined) throw strayName(input.file, literally);
    return { path, shown, hash: null, before: "", ...addPatterns("", patterns) };
  }
  const { bytes, hash } = await host.fs.readFile(path, { signal });
  const decoded = decodeText(bytes);
  if (!("text" in decoded) || decoded.encoding !== "UTF-8") {
    throw new ToolError(
      "BINARY_FILE",
      `${shown} is not UTF-8 text, so git reads no patterns from it.`,
      {
        hint: "Convert it to UTF-8 first.",
      },
    );
  }
  return { path, shown, hash, before: decoded.text, ...addPatterns(decoded.text, patterns) };
}

async function write({ path, text, hash }: Target, context: ToolContext): Promise<void> {
  const { host, signal } = context;
  const written = await host.fs.writeAtomic(path, encodeText({ text, encoding: "UTF-8" }), {
    ifMatch: hash,
    signal,
  });
  const state = context.service(seenFiles);
  const view = state.view(path);
  // Earlier views of the file stay valid, because the new lines are at its end.
  if (hash === null) state.saw(path, { hash: written.hash });
  else if (view?.hash === hash) state.saw(path, { ...view, hash: written.hash });
}

function diffOf({ shown, before, text }: Target): string {
  return unifiedDiff({ path: shown, before, after: text }).text;
}

function addedAnswer(target: Target, wanted: readonly string[]) {
  const { path, shown, added, hash } = target;
  const there = wanted.length - added.length;
  const isAre = there === 1 ? "was" : "were";
  const old = there === 0 ? "" : ` ${there} of ${wanted.length} ${isAre} there already.`;
  const verb = hash === null ? "Made" : "Added to";
  const content =
    added.length === 0
      ? `${shown} has ${wanted.length === 1 ? "this pattern" : "these patterns"} already; nothing was written.`
      : `${verb} ${shown}: ${added.join(", ")}.${old} Files that git tracks already stay tracked.`;
  return {
    content,
    title: `${verb} ${shown}`,
    summary: counted(added.length, "pattern"),
    metadata: { path, added, diff: diffOf(target) },
  };
}

async function checked(input: Input, context: ToolContext) {
  const paths = input.paths ?? [];
  const start = starts.get(input);
  const byGit = start === undefined ? undefined : await askGit(paths, start, context);
  const answers = byGit ?? (await readIgnoreFiles(paths, context));
  const note =
    byGit === undefined
      ? "\n(git could not be asked: only the .gitignore files of the workspace were looked at)"
      : "";
  const ignored = answers.filter(({ isIgnored }) => isIgnored).length;
  return {
    content: answers.map((answer) => lineOf(answer, context.cwd)).join("\n") + note,
    title: "Checked ignored paths",
    summary: `${ignored} of ${answers.length} ignored`,
    metadata: { answers: answers.map(factsOf), referee: byGit === undefined ? "haft" : "git" },
  };
}

function factsOf({ path, isIgnored, rule }: IgnoreAnswer) {
  return { path, isIgnored, ...(rule === undefined ? {} : { rule }) };
}

function lineOf({ path, isIgnored, rule }: IgnoreAnswer, cwd: string): string {
  const says = isIgnored ? "ignored" : "not ignored";
  if (rule === undefined) return `${path}: ${says}`;
  const file = rule.file.startsWith("/") ? displayPath(rule.file, cwd) : rule.file;
  return `${path}: ${says}, by ${file}:${rule.line} ${rule.pattern}`;
}
