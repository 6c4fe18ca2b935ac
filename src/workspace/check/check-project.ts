import { loadCommands } from "../commands/load-commands.ts";
import { listDocuments, listLinkedDocuments } from "../documents/list-documents.ts";
import { readAgent, type AgentFile } from "../agents/read-agent.ts";
import type { LoadedHooks } from "../hooks/load-hooks.ts";
import {
  readInstructions,
  type ReadInstructionsOptions,
} from "../instructions/read-instructions.ts";
import type { LoadedSettings } from "../settings/loaded-settings.ts";
import { checkServers } from "./check-servers.ts";
import type { LoadedPlugins } from "../plugins/plugin.ts";
import { maxSkillBytes } from "../skills/load-skills.ts";
import { readSkill } from "../skills/read-skill.ts";
import { skillDirectories } from "../skills/skill-directories.ts";
import type { OpenedTrust } from "../trust/trusted-files.ts";
import { baseName, parentPath } from "../../text/index.ts";
import { unusedSettings } from "./unused-settings.ts";
import { readProjectFile, type CheckedFile, type FileProblem } from "./checked-file.ts";

export interface CheckProjectOptions extends ReadInstructionsOptions, OpenedTrust {
  readonly settings: LoadedSettings;
  readonly hooks: LoadedHooks | undefined;
  readonly plugins: LoadedPlugins | undefined;
}

/** Reads everything that a project brings and returns each file with its problems. Runs nothing. */
export async function checkProject(options: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  const { host, workspace } = options;
  const parts = [
    checkSettings(options),
    await checkServers(workspace, host),
    await checkInstructions(options),
    await unreadParts(options),
    await checkCommands(options),
    ...(await Promise.all(folders(options).map((folder) => checkFolder(folder, options)))),
    await checkPlugins(options),
  ];
  return parts.flat();
}

async function checkInstructions(options: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  const { files, problems } = await readInstructions(options);
  const paths = new Set(
    [...files, ...problems.map(({ file }) => ({ path: file }))].map(({ path }) => path),
  );
  return [...paths].map((path) => ({
    path,
    kind: "instructions",
    entries: 1,
    problems: problems.filter(({ file }) => file === path),
  }));
}

/** Directories of other programs that nothing here reads, and what to do with them. */
const foreign: readonly {
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    name: ".claude/rules",
    message: "Rules are not read.",
    hint: "Import those that are to apply into CLAUDE.md or AGENTS.md, as in @.claude/rules/NAME.md.",
  },
  {
    name: ".claude/output-styles",
    message: "Output styles do not exist here.",
    hint: "Write what is to apply into CLAUDE.md or AGENTS.md.",
  },
];

/** Names what a project or a user brings for another program and has no effect here. */
async function unreadParts({
  host,
  workspace,
  home,
}: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  const bases = home === workspace ? [workspace] : [workspace, home];
  const parts = bases.flatMap((base) => foreign.map((part) => ({ ...part, base })));
  const checked = parts.map(async ({ base, name, message, hint }): Promise<CheckedFile[]> => {
    const path = `${base}/${name}`;
    const { files } = await listDocuments(path, (file) => baseName(file).endsWith(".md"), host);
    if (files.length === 0) return [];
    const problems = [{ severity: "warning", message, hint }] as const;
    return [{ path, kind: "instructions", entries: files.length, problems }];
  });
  return (await Promise.all(checked)).flat();
}

async function checkCommands(options: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  const { files } = await loadCommands(options);
  return files.map(({ file, problems }) => ({ path: file, kind: "command", entries: 1, problems }));
}

/** Plugins that are installed, with the problems of their manifests, hooks and parts. */
async function checkPlugins({
  plugins,
  hooks,
  host,
}: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  if (plugins === undefined) return [];
  const { contentsAt } = await import("../plugins/install-plugin.ts");
  const unread = plugins.problems.filter(({ file = "" }) => file.endsWith("/plugins.json"));
  const checked = plugins.all.map(async (plugin): Promise<CheckedFile> => {
    const { parts, problems } = await contentsAt(plugin, host);
    const own = problems.map(({ file, ...problem }) =>
      file === "" ? problem : { ...problem, file },
    );
    const unused = plugin.faults.map((message) => ({ severity: "error", message }) as const);
    const all = [...unused, ...own, ...problemsAt(plugin.root, hooks)];
    return { path: plugin.root, kind: "plugin", entries: parts.length, problems: unique(all) };
  });
  return [
    ...unread.map(({ file = "", ...problem }): CheckedFile => ({
      path: file,
      kind: "plugin",
      entries: 0,
      problems: [problem],
    })),
    ...(await Promise.all(checked)),
  ];
}

function problemsAt(root: string, hooks: LoadedHooks | undefined): readonly FileProblem[] {
  return (hooks?.problems ?? []).flatMap(({ file = "", ...problem }) =>
    file.startsWith(`${root}/`) ? [{ ...problem, file: file.slice(root.length + 1) }] : [],
  );
}

function unique(problems: readonly FileProblem[]): readonly FileProblem[] {
  const isSeen = new Set<string>();
  return problems.filter(({ message, file, line }) => {
    const key = `${file} ${line} ${message}`;
    if (isSeen.has(key)) return false;
    isSeen.add(key);
    return true;
  });
}

function checkSettings({ settings, hooks }: CheckProjectOptions): readonly CheckedFile[] {
  return settings.layers.flatMap(({ file, read, ...layer }) =>
    file === undefined
      ? []
      : [
          {
            path: file,
            kind: "settings" as const,
            entries: Object.keys(read.values).length + Object.values(read.rules).flat().length,
            problems: [
              ...[...settings.problems, ...(hooks?.problems ?? [])].flatMap(
                ({ file: at, ...problem }) => (at === file ? [problem] : []),
              ),
              ...unusedSettings(layer),
            ],
          },
        ],
  );
}

interface Folder {
  readonly path: string;
  readonly kind: "agent" | "skill";
  readonly isWanted: (name: string) => boolean;
}

/** Directories of documents with fields, and the names of the files that count. */
function folders({ workspace, home }: CheckProjectOptions): readonly Folder[] {
  const bases = home === workspace ? [workspace] : [workspace, home];
  return bases.flatMap((base) => [
    ...[".haft", ".claude"].map((folder) => ({
      path: `${base}/${folder}/agents`,
      kind: "agent" as const,
      isWanted: isMarkdown,
    })),
    ...skillDirectories.map((folder) => ({
      path: `${base}/${folder}`,
      kind: "skill" as const,
      isWanted: isSkill,
    })),
  ]);
}

function isMarkdown(name: string): boolean {
  return name.endsWith(".md");
}

function isSkill(name: string): boolean {
  return name === "SKILL.md" || name.endsWith("/SKILL.md");
}

async function problemsOf(
  kind: "agent" | "skill",
  { path, text }: AgentFile,
): Promise<readonly FileProblem[]> {
  if (kind === "skill") {
    const { faults, notes } = await readSkill(text, baseName(parentPath(path)));
    return [...asProblems(kind, "error", faults), ...asProblems(kind, "warning", notes)];
  }
  const read = await readAgent({ path, text });
  if (read.kind === "invalid") return asProblems(kind, "error", read.problems);
  return asProblems(kind, "warning", read.notes);
}

function asProblems(
  kind: "agent" | "skill",
  severity: FileProblem["severity"],
  found: readonly { readonly message: string; readonly line?: number }[],
): readonly FileProblem[] {
  return found.map((each) => ({
    severity,
    ...each,
    ...(severity === "error" ? { hint: `Until it is corrected, the ${kind} is not used.` } : {}),
  }));
}

async function checkFolder(
  { path, kind, isWanted }: Folder,
  { host }: CheckProjectOptions,
): Promise<readonly CheckedFile[]> {
  const list = kind === "skill" ? listLinkedDocuments : listDocuments;
  const { files, problems } = await list(path, isWanted, host);
  const skipped = problems.map(({ path: at, message }): CheckedFile => ({
    path: at,
    kind,
    entries: 0,
    problems: [{ severity: "warning", message }],
  }));
  const checked = files.map(async (file): Promise<CheckedFile> => {
    const most = kind === "skill" ? maxSkillBytes : undefined;
    const read = await readProjectFile(file.path, host, most);
    if (read === undefined || "problem" in read) {
      const found = read === undefined ? [] : [read.problem];
      return { path: file.path, kind, entries: 0, problems: found };
    }
    const wrong = await problemsOf(kind, { path: `${path}/${file.name}`, text: read.text });
    return {
      path: file.path,
      kind,
      entries: 1,
      problems: wrong,
    };
  });
  return [...skipped, ...(await Promise.all(checked))];
}
