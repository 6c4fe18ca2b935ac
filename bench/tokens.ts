/**
 * Characters of the answers to one recorded job of 30 calls (bench/tokens/job.json) on a project that was parts
 * of this repository and stays as it is (bench/tokens/project.json), next to what the tools of others answer to the same calls. Theirs are made by formatters of ours, one file
 * each, which says whether it was checked against the code of the other or not.
 *
 *   npm run bench:tokens            totals by tool
 *   npm run bench:tokens -- --all   each call
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit } from "../src/index.ts";
import { claudeCode } from "./tokens/claude-code.ts";
import type { Facts, Format } from "./tokens/facts.ts";
import { geminiCli } from "./tokens/gemini-cli.ts";
import { opencode } from "./tokens/opencode.ts";
import { pi } from "./tokens/pi.ts";

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const job: readonly Call[] = JSON.parse(
  readFileSync(new URL("tokens/job.json", import.meta.url), "utf8"),
);
/** Text of each file. The sources of the repository change; with them every figure would. */
const project: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("tokens/project.json", import.meta.url), "utf8"),
);
const peers: Readonly<Record<string, Format>> = { claudeCode, geminiCli, opencode, pi };
const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-tokens-"));
for (const [name, text] of Object.entries(project)) {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
  // Searches list the newest file first.
  utimesSync(path.join(root, name), new Date(0), new Date(0));
}

const totals = new Map<string, number>();
try {
  await using kit = await createToolkit({
    workspace: root,
    mode: "bypassPermissions",
    dataDirectory: `${root}-data`,
  });
  for (const call of job) {
    const before = factsBefore(call);
    const outcome = await kit.call({ name: call.tool, input: call.input });
    if (outcome.error !== undefined) throw new Error(`${call.tool}: ${outcome.text}`);
    const replaced = Number(outcome.metadata["replaced"] ?? 1);
    const output = call.tool === "Bash" ? outcome.text : "";
    const facts: Facts = { ...before, ...changesSince(before, call), replaced, output };
    const row = [`haft ${add("haft", call.tool, outcome.text)}`];
    for (const [name, format] of Object.entries(peers))
      row.push(`${name} ${add(name, call.tool, format(facts))}`);
    if (process.argv.includes("--all"))
      say(`${call.tool} ${JSON.stringify(call.input).slice(0, 60)}: ${row.join(", ")}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
  rmSync(`${root}-data`, { recursive: true, force: true });
}
const tools = [...new Set(job.map(({ tool }) => tool))];
for (const name of ["haft", ...Object.keys(peers)]) {
  const parts = tools.map((tool) => `${tool} ${totals.get(`${name} ${tool}`) ?? 0}`);
  say(`${name.padEnd(12)} ${String(totals.get(name)).padStart(7)} characters: ${parts.join(", ")}`);
}

function add(name: string, tool: string, text: string): number {
  for (const key of [name, `${name} ${tool}`])
    totals.set(key, (totals.get(key) ?? 0) + text.length);
  return text.length;
}

function factsBefore({ tool, input }: Call): Facts {
  const all = filesBelow("");
  const none = { lines: [], firstLine: 1, totalLines: 0, files: [], matches: [], entries: [] };
  const unchanged = { linesAfter: [], changedLines: [], replaced: 0, output: "" };
  const base = { ...none, ...unchanged, tool, input, root };
  switch (tool) {
    case "Edit":
      return { ...base, lines: textOf(String(input["file_path"])).split("\n") };
    case "Read": {
      const lines = textOf(String(input["file_path"])).replace(/\n$/u, "").split("\n");
      const firstLine = Number(input["offset"] ?? 1);
      const shown = lines.slice(firstLine - 1, firstLine - 1 + Number(input["limit"] ?? 2000));
      return { ...base, lines: shown, firstLine, totalLines: lines.length };
    }
    case "Glob": {
      const pattern = String(input["pattern"]);
      return {
        ...base,
        files: all.filter((file) =>
          path.matchesGlob(file, pattern.includes("/") ? pattern : `**/${pattern}`),
        ),
      };
    }
    case "Grep": {
      const regex = new RegExp(String(input["pattern"]), "u");
      const matches = all.flatMap((file) =>
        textOf(file)
          .split("\n")
          .flatMap((text, at) => (regex.test(text) ? [{ path: file, line: at + 1, text }] : [])),
      );
      return { ...base, matches, files: [...new Set(matches.map((each) => each.path))] };
    }
    case "ListDir": {
      const directory = path.join(root, String(input["path"]));
      const entries = readdirSync(directory, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        isDirectory: entry.isDirectory(),
        size: statSync(path.join(directory, entry.name)).size,
      }));
      return { ...base, entries };
    }
    default:
      return base;
  }
}

/** Edits of the job change lines and add none. */
function changesSince(
  { lines }: Facts,
  { tool, input }: Call,
): Pick<Facts, "linesAfter" | "changedLines"> {
  if (tool !== "Edit") return { linesAfter: [], changedLines: [] };
  const linesAfter = textOf(String(input["file_path"])).split("\n");
  const changedLines = linesAfter.flatMap((line, at) => (line === lines[at] ? [] : [at]));
  return { linesAfter, changedLines };
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const below = directory === "" ? entry.name : `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(below) : [below];
  });
}

function textOf(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
