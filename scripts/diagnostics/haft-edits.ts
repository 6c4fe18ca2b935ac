import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { localHost } from "../../src/host/index.ts";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import { isRecord } from "../../src/text/index.ts";
import {
  countReports,
  editSequence,
  noReports,
  type EditSequence,
  type PlannedEdit,
  type ReportCounts,
} from "./edit-sequence.ts";
import { writeProject, type Language } from "./languages.ts";

/** Results of a sequence of edits. */
export interface EditRun {
  readonly counts: ReportCounts;
  /** Milliseconds of each edit, with its reports. */
  readonly times: readonly number[];
  /** Lines about the servers and processes at the end. */
  readonly notes: readonly string[];
}

/** Edits files with haft's Edit, whose answer reports the errors that the server found. */
export async function editWithHaft(
  name: string,
  language: Language,
  edits: number,
): Promise<EditRun> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "diagnostics-")));
  const workspace = path.join(folder, "work");
  await mkdir(path.join(workspace, ".haft"), { recursive: true });
  const command = await writeProject(language, workspace);
  const settings = {
    diagnostics: { servers: { [name]: { command, files: [`*.${language.ending}`] } } },
  };
  await writeFile(path.join(workspace, ".haft", "settings.json"), JSON.stringify(settings));
  const host = await localHost();
  const kit = await createToolkit({
    host,
    workspace,
    dataDirectory: path.join(folder, "data"),
    settings: "load",
    trust: true,
    mode: "acceptEdits",
  });
  const notes: string[] = [];
  try {
    const fileOf = (file: PlannedEdit["file"]): string =>
      path.join(workspace, `${file}.${language.ending}`);
    const result = await runEdits(kit, fileOf, editSequence(language, edits));
    const { checks } = await kit.doctor();
    for (const { name: subject, text } of checks) {
      if (subject === "diagnostics") notes.push(`${subject}: ${text}`);
    }
    notes.push(`processes before the end: ${(await host.proc.list()).length}`);
    return { ...result, notes };
  } finally {
    await kit.dispose();
    notes.push(`processes after the end: ${(await host.proc.list()).length}`);
    await host[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runEdits(
  kit: Kit,
  fileOf: (name: PlannedEdit["file"]) => string,
  { text, edits }: EditSequence,
): Promise<Omit<EditRun, "notes">> {
  await writeFile(fileOf("main"), text);
  for (const name of ["main", "lib"] as const) {
    await kit.call({ name: "Read", input: { file_path: fileOf(name) } });
  }
  const counts = noReports();
  const times: number[] = [];
  for (const edit of edits) {
    const startedAt = performance.now();
    const outcome = await kit.call({
      name: "Edit",
      input: { file_path: fileOf(edit.file), old_string: edit.old, new_string: edit.next },
    });
    times.push(performance.now() - startedAt);
    if (outcome.status !== "ok") throw new Error(outcome.text);
    const found = outcome.metadata?.["diagnostics"];
    const messages = (Array.isArray(found) ? found : []).map((each: unknown) =>
      isRecord(each) ? String(each["message"]) : "",
    );
    countReports(counts, edit, messages);
  }
  return { counts, times };
}
