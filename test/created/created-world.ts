import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createToolkit,
  type Answer,
  type Ask,
  type Kit,
  type ToolkitOptions,
} from "../../src/index.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";

/** Reason to skip a test that needs a sandbox which holds tools to what they declare. */
export async function whyNotHeld(): Promise<string | undefined> {
  const driver = drivers.find(({ name }) => name === "bwrap");
  const works = driver !== undefined && (await probeDriver(driver)).works;
  return works ? undefined : "bubblewrap does not work here";
}

export interface CreatedWorld extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly asks: readonly Ask[];
  /** Opens a kit; it is disposed with the world. */
  open(options?: ToolkitOptions): Promise<Kit>;
}

/** Answers every question of a tool with its first choice, and allows every call. */
export const agree = (ask: Ask): Answer =>
  ask.kind === "question"
    ? { kind: "answer", choices: [ask.options?.[0]?.label ?? ""] }
    : { kind: "once" };

export async function createdWorld(
  files: Readonly<Record<string, string>> = {},
  answer: (ask: Ask) => Answer = agree,
): Promise<CreatedWorld> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-made-")));
  const workspace = path.join(root, "workspace");
  for (const [name, text] of Object.entries({ "a.txt": "one\ntwo\n", ...files })) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), text);
  }
  const asks: Ask[] = [];
  const kits: Kit[] = [];
  return {
    root,
    workspace,
    asks,
    async open(options = {}) {
      const kit = await createToolkit({
        workspace,
        dataDirectory: path.join(root, "data"),
        settings: "load",
        onAsk: async (ask) => {
          asks.push(ask);
          return answer(ask);
        },
        ...options,
      });
      kits.push(kit);
      return kit;
    },
    async [Symbol.asyncDispose]() {
      for (const kit of kits) await kit.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A tool that counts the lines of a file. */
export const countLines = {
  name: "CountLines",
  description: "Counts the lines of a file.",
  input: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
  touches: ["read"],
  effects: [{ kind: "read", path: "{path}" }],
  language: "javascript",
  body: [
    'import { readFile } from "node:fs/promises";',
    "export default async ({ path }) =>",
    '  ({ lines: (await readFile(path, "utf8")).split("\\n").length - 1 });',
  ].join("\n"),
  examples: [{ input: { path: "a.txt" }, expect: { lines: 2 } }],
} as const;
