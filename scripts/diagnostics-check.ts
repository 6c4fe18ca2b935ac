/**
 * Edits files hundreds of times with a real language server, and compares each report with what is known about the
 * edit: which error it makes, and that no other is there. Ends with 1 where a report is stale.
 *
 *     npm run diagnostics-check -- [--server typescript|pyright] [--edits 500]
 *
 * The servers are installed below `.cache` when they are first needed.
 */
import { cp, mkdtemp, realpath, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { localHost } from "../src/host/index.ts";
import { createToolkit, type Kit } from "../src/kit/index.ts";
import { isRecord } from "../src/text/index.ts";
import { installedModules, type OnDemand } from "./install-on-demand.ts";

interface Language {
  readonly packages: readonly OnDemand[];
  readonly program: string;
  readonly arguments: readonly string[];
  readonly ending: string;
  readonly files: Readonly<Record<string, string>>;
  /** Line without an error, and line with one; each names the number of the edit. */
  readonly right: (edit: number) => string;
  readonly wrong: (edit: number) => string;
  /** Text that the report of this error has. */
  readonly named: (edit: number) => string;
}

const languages: Readonly<Record<string, Language>> = {
  typescript: {
    packages: [
      { name: "typescript-language-server", version: "6.0.2" },
      { name: "typescript", version: "5.9.3" },
    ],
    program: "typescript-language-server/lib/cli.mjs",
    arguments: ["--stdio"],
    ending: "ts",
    files: {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, types: [] },
      }),
      "lib.ts": "export function twice(value: number): number {\n  return value * 2;\n}\n",
    },
    right: (edit) => `export const value${edit}: number = ${edit};`,
    wrong: (edit) => `export const value${edit}: number = missing${edit};`,
    named: (edit) => `missing${edit}`,
  },
  pyright: {
    packages: [{ name: "pyright", version: "1.1.414" }],
    program: "pyright/langserver.index.js",
    arguments: ["--stdio"],
    ending: "py",
    files: { "lib.py": "def twice(value: int) -> int:\n    return value * 2\n" },
    right: (edit) => `value${edit}: int = ${edit}`,
    wrong: (edit) => `value${edit}: int = missing${edit}`,
    named: (edit) => `missing${edit}`,
  },
};

const { values } = parseArgs({
  options: { server: { type: "string" }, edits: { type: "string", default: "500" } },
});
for (const name of values.server === undefined ? Object.keys(languages) : [values.server]) {
  const language = languages[name];
  if (language === undefined) {
    throw new Error(`There is no server ${name}, only ${Object.keys(languages).join(", ")}.`);
  }
  await check(name, language, Number(values.edits));
}

async function check(name: string, language: Language, edits: number): Promise<void> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "diagnostics-")));
  const workspace = path.join(folder, "work");
  await mkdir(path.join(workspace, ".haft"), { recursive: true });
  // Inside of the workspace, where the sandbox shows it.
  for (const wanted of language.packages) {
    await cp(await installedModules(wanted), path.join(workspace, "node_modules"), {
      recursive: true,
    });
  }
  for (const [file, text] of Object.entries(language.files)) {
    await writeFile(path.join(workspace, file), text);
  }
  const program = path.join(workspace, "node_modules", language.program);
  const command = [process.execPath, program, ...language.arguments];
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
  try {
    await run(kit, { name, language, edits, workspace });
    const { checks } = await kit.doctor();
    for (const { name: subject, text } of checks) {
      if (subject === "diagnostics") print(`  ${subject}: ${text}`);
    }
    print(`  processes before the end: ${(await host.proc.list()).length}`);
  } finally {
    await kit.dispose();
    print(`  processes after the end: ${(await host.proc.list()).length}`);
    await host[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  kit: Kit,
  given: {
    readonly name: string;
    readonly language: Language;
    readonly edits: number;
    readonly workspace: string;
  },
): Promise<void> {
  const { name, language, edits, workspace } = given;
  const slots = 12;
  const lines = Array.from({ length: slots }, (_, slot) => language.right(slot));
  const file = path.join(workspace, `main.${language.ending}`);
  await writeFile(file, `${lines.join("\n")}\n`);
  await kit.call({ name: "Read", input: { file_path: file } });
  let [stale, missed, reported, silent, slowest] = [0, 0, 0, 0, 0];
  const times: number[] = [];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let edit = 0; edit < edits; edit += 1) {
    const slot = random(lines.length);
    const old = lines[slot] ?? "";
    // Half of the edits make an error; others remove one, keep one and move it, or have none.
    const isWrong = random(2) === 0;
    const above = random(3) === 0 ? `${comment(language)} ${edit}\n` : "";
    const next = `${above}${isWrong ? language.wrong(edit + 100) : language.right(edit + 100)}`;
    const startedAt = performance.now();
    const outcome = await kit.call({
      name: "Edit",
      input: { file_path: file, old_string: `${old}\n`, new_string: `${next}\n` },
    });
    const ms = performance.now() - startedAt;
    if (outcome.status !== "ok") throw new Error(outcome.text);
    times.push(ms);
    slowest = Math.max(slowest, ms);
    lines[slot] = next;
    const found = outcome.metadata?.["diagnostics"];
    const messages = (Array.isArray(found) ? found : []).map((each: unknown) =>
      isRecord(each) ? String(each["message"]) : "",
    );
    const wanted = isWrong ? [language.named(edit + 100)] : [];
    stale += messages.filter((message) => !wanted.some((each) => message.includes(each))).length;
    if (messages.length > 0) reported += 1;
    else silent += 1;
    if (isWrong && messages.length === 0) missed += 1;
  }
  if (stale > 0) process.exitCode = 1;
  const sorted = times.toSorted((one, other) => one - other);
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  print(
    `${name}: ${edits} edits, ${reported} with a report, ${silent} without; stale reports ${stale}; ` +
      `errors not reported ${missed}; median ${median} ms, slowest ${Math.round(slowest)} ms`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function comment({ ending }: Language): string {
  return ending === "py" ? "#" : "//";
}
