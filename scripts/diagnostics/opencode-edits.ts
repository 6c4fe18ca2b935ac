import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";
import { installOnDemand } from "../install-on-demand.ts";
import { opencode, opencodeProgram, opencodeSettings } from "../real-agents/agents.ts";
import { environment } from "../real-agents/environment.ts";
import { openClosedProxy } from "../real-agents/fake-model.ts";
import {
  countReports,
  editSequence,
  noReports,
  type EditSequence,
  type PlannedEdit,
  type ReportCounts,
} from "./edit-sequence.ts";
import type { EditRun } from "./haft-edits.ts";
import { writeProject, type Language } from "./languages.ts";

const files = ["main", "lib"] as const;

/** Longest time for all edits. */
const timeoutMs = 30 * 60_000;

/** Edits files with opencode's own tool, called by a model on the loopback address. */
export async function editWithOpencode(
  name: string,
  language: Language,
  edits: number,
): Promise<EditRun> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "opencode-edits-")));
  const [workspace, home] = [path.join(folder, "work"), path.join(folder, "home")];
  await mkdir(workspace);
  await mkdir(home);
  const command = await writeProject(language, workspace);
  const fileOf = (file: PlannedEdit["file"]): string =>
    path.join(workspace, `${file}.${language.ending}`);
  const sequence = editSequence(language, edits);
  await writeFile(fileOf("main"), sequence.text);
  const model = await openEditingModel(fileOf, sequence);
  const proxy = await openClosedProxy();
  try {
    const config = path.join(home, "opencode.json");
    const settings = {
      ...opencodeSettings(model.url),
      lsp: { [name]: { command, extensions: [`.${language.ending}`] } },
      permission: { "*": "deny", read: "allow", edit: "allow" },
      // The answers of all edits stay in the conversation.
      compaction: { auto: false, prune: false },
    };
    await writeFile(config, JSON.stringify(settings));
    const program = opencodeProgram(await installOnDemand(opencode));
    const ended = await run([program, "run", "Edit the file."], {
      cwd: workspace,
      env: {
        ...environment(home, proxy.url),
        OPENCODE_CONFIG: config,
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      },
    });
    if (model.counts.edits < edits) {
      throw new Error(`opencode made ${model.counts.edits} edits and ended: ${ended.slice(-2000)}`);
    }
    const text = await readFile(fileOf("main"), "utf8");
    if (text !== model.expected()) throw new Error("opencode wrote another text than planned.");
    return { counts: model.counts, times: model.times, notes: [] };
  } finally {
    proxy.stop();
    await model.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface EditingModel {
  readonly url: string;
  readonly counts: ReportCounts;
  readonly times: readonly number[];
  /** Text of the file after all edits so far. */
  expected(): string;
  stop(): Promise<void>;
}

/** A model that reads the files, makes one edit after the other, and counts what their answers report. */
async function openEditingModel(
  fileOf: (name: PlannedEdit["file"]) => string,
  { text, edits }: EditSequence,
): Promise<EditingModel> {
  const counts = noReports();
  const times: number[] = [];
  let expected = text;
  let askedAt = 0;
  const answer = (request: ChatCompletionRequest): FixtureResponse => {
    const names = (request.tools ?? []).map((tool) => tool.function.name);
    // It also asks for a title, without tools.
    if (!names.includes("edit")) return { content: "A title" };
    const results = request.messages.filter(({ role }) => role === "tool");
    const last = results.at(-1);
    const toRead = files[results.length];
    if (last === undefined || toRead !== undefined) {
      return call("read", { filePath: fileOf(toRead ?? "main") });
    }
    const edited = edits[results.length - files.length - 1];
    if (edited !== undefined) {
      times.push(performance.now() - askedAt);
      const shown = textOf(last.content);
      if (!shown.startsWith("Edit applied")) throw new Error(`An edit failed: ${shown}`);
      if (edited.file === "main") expected = expected.replace(edited.old, () => edited.next);
      countReports(counts, edited, messagesIn(shown));
    }
    const next = edits[results.length - files.length];
    if (next === undefined) return { content: "All edits are made." };
    askedAt = performance.now();
    const filePath = fileOf(next.file);
    return call("edit", { filePath, oldString: next.old, newString: next.next });
  };
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  mock.on({ predicate: () => true }, answer);
  await mock.start();
  return {
    url: mock.url,
    counts,
    times,
    expected: () => expected,
    stop: async () => {
      await mock.stop();
    },
  };
}

function call(name: string, input: Readonly<Record<string, unknown>>): FixtureResponse {
  return { toolCalls: [{ name, arguments: JSON.stringify(input) }] };
}

/** Errors that the answer to an edit shows to the model, each in a line with its place. */
function messagesIn(answer: string): readonly string[] {
  return answer.split("\n").filter((line) => /^(?:ERROR|WARN|INFO|HINT) \[\d+:\d+\]/u.test(line));
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** Runs a program to its end, and returns what it printed. */
async function run(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  try {
    await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return output;
  } finally {
    clearTimeout(timer);
  }
}
