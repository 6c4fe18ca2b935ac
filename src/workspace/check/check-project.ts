import { listDocuments } from "../documents/list-documents.ts";
import { readAgent, type AgentFile } from "../agents/read-agent.ts";
import { readDocument, type DocumentProblem } from "../documents/read-document.ts";
import {
  readInstructions,
  type ReadInstructionsOptions,
} from "../instructions/read-instructions.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { checkServers } from "./check-servers.ts";
import { readProjectFile, type CheckedFile } from "./checked-file.ts";

export interface CheckProjectOptions extends ReadInstructionsOptions {
  readonly settings: LoadedSettings;
}

/** Reads everything that a project brings and returns each file with its problems. Runs nothing. */
export async function checkProject(options: CheckProjectOptions): Promise<readonly CheckedFile[]> {
  const { host, workspace } = options;
  const parts = [
    checkSettings(options),
    await checkServers(workspace, host),
    await checkInstructions(options),
    ...(await Promise.all(folders.map((folder) => checkFolder(folder, options)))),
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

function checkSettings({ settings }: CheckProjectOptions): readonly CheckedFile[] {
  return settings.layers.flatMap(({ file, read }) =>
    file === undefined
      ? []
      : [
          {
            path: file,
            kind: "settings" as const,
            entries: Object.keys(read.values).length + Object.values(read.rules).flat().length,
            problems: settings.problems.filter((problem) => problem.file === file),
          },
        ],
  );
}

/** Directories of documents with fields, and the names of the files that count. */
const folders = [".haft", ".claude"].flatMap((folder) => [
  { path: `${folder}/agents`, kind: "agent" as const, isWanted: isMarkdown },
  { path: `${folder}/skills`, kind: "skill" as const, isWanted: isSkill },
]);

function isMarkdown(name: string): boolean {
  return name.endsWith(".md");
}

function isSkill(name: string): boolean {
  return name === "SKILL.md" || name.endsWith("/SKILL.md");
}

async function problemsOf(
  kind: "agent" | "skill",
  file: AgentFile,
): Promise<readonly DocumentProblem[]> {
  if (kind === "skill") return (await readDocument(file.text)).problems;
  const read = await readAgent(file);
  return read.kind === "invalid" ? read.problems : [];
}

async function checkFolder(
  { path, kind, isWanted }: (typeof folders)[number],
  { host, workspace }: CheckProjectOptions,
): Promise<readonly CheckedFile[]> {
  const { files, problems } = await listDocuments(`${workspace}/${path}`, isWanted, host);
  const skipped = problems.map(({ path: at, message }): CheckedFile => ({
    path: at,
    kind,
    entries: 0,
    problems: [{ severity: "warning", message }],
  }));
  const checked = files.map(async (file): Promise<CheckedFile> => {
    const read = await readProjectFile(file.path, host);
    if (read === undefined || "problem" in read) {
      const found = read === undefined ? [] : [read.problem];
      return { path: file.path, kind, entries: 0, problems: found };
    }
    const wrong = await problemsOf(kind, { path: file.path, text: read.text });
    return {
      path: file.path,
      kind,
      entries: 1,
      problems: wrong.map((problem) => ({ severity: "error", ...problem })),
    };
  });
  return [...skipped, ...(await Promise.all(checked))];
}
