import { applyPatch as applyDiff } from "diff";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Call, Host, MemoryHost, PreviewChange } from "../../src/index.ts";
import { world, type World } from "./world.ts";
import { runs } from "../support/law-runs.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const wide = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0, 0x0a, 0]);
const notebook = JSON.stringify({
  cells: [{ cell_type: "code", id: "c1", metadata: {}, outputs: [], source: ["1\n", "2"] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});
const files = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "no end",
  "crlf.txt": "one\r\ntwo\r\n",
  "wide.txt": wide,
  "n.ipynb": notebook,
  "src/c.ts": "export const c = 1;\n",
  ".gitignore": "dist\n",
};

/** Every path with kind, mode, time and content. */
async function treeOf({ fs }: Host, root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for await (const { name } of fs.list(root)) {
    const path = `${root}/${name}`;
    const { kind, mode, mtimeMs, version } = await fs.stat(path);
    const what = kind === "file" ? (await fs.readFile(path)).hash : "";
    found[path] = [kind, mode, kind === "file" ? mtimeMs : "", version, what].join(" ");
    if (kind === "symlink") found[path] = `${kind} ${await fs.readLink(path)}`;
    if (kind === "directory") Object.assign(found, await treeOf({ fs } as Host, path));
  }
  return found;
}

/** A kit that allows all, with every file read. */
async function ready(): Promise<World> {
  const made = await world(
    { mode: "bypassPermissions", redactSecrets: false },
    { files, programs: { bash: () => 0, ls: () => 0 } },
  );
  made.host.control.plant("b.txt", { kind: "file", content: "no end", mode: 0o755 });
  made.host.control.plant("link", { kind: "symlink", target: "a.txt" });
  for (const name of Object.keys(files)) {
    await made.kit.call({ name: "Read", input: { file_path: name } });
  }
  return made;
}

const patch = (...lines: readonly string[]): Call => ({
  name: "ApplyPatch",
  input: { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") },
});

const everyTool: readonly Call[] = [
  { name: "Read", input: { file_path: "a.txt" } },
  { name: "Write", input: { file_path: "made/deep/new.txt", content: "x\n" } },
  { name: "Edit", input: { file_path: "wide.txt", old_string: "b", new_string: "ü" } },
  patch(
    "*** Update File: a.txt",
    "*** Move to: moved/a.txt",
    "@@",
    "-two",
    "+2",
    "*** Add File: new.ts",
    "+x",
    "*** Delete File: src/c.ts",
  ),
  {
    name: "NotebookEdit",
    input: { notebook_path: "n.ipynb", cell_id: "c1", new_source: "3\n4", edit_mode: "replace" },
  },
  { name: "Gitignore", input: { action: "add", patterns: ["*.log"] } },
  { name: "Gitignore", input: { action: "check", paths: ["dist/a"] } },
  { name: "ListDir", input: {} },
  { name: "Glob", input: { pattern: "*.ts" } },
  { name: "Grep", input: { pattern: "one" } },
  { name: "Bash", input: { command: "ls" } },
  { name: "Bash", input: { command: "touch made" } },
  { name: "Bash", input: { command: "node x.js" } },
  { name: "TaskList", input: {} },
  { name: "TaskOutput", input: { task_id: "t-1" } },
  { name: "TaskInput", input: { task_id: "t-1", text: "y" } },
  { name: "TaskStop", input: { task_id: "t-1" } },
  { name: "ToolSearch", input: { query: "edit a file" } },
  { name: "WebFetch", input: { url: "https://example.com/" } },
];

test("every built-in tool can be previewed, and nothing outside changes", async () => {
  const { kit, host } = await ready();
  expect(new Set(everyTool.map(({ name }) => name))).toEqual(new Set(kit.registry.getNames()));
  const { control } = host;
  const before = await treeOf(host, "");
  const events: string[] = [];
  kit.events.subscribe(({ type }) => events.push(type));

  for (const call of everyTool) {
    const shown = await kit.preview(call);
    expect([call.name, shown.preview ?? shown.error?.code]).not.toEqual([call.name, undefined]);
  }

  expect(await treeOf(host, "")).toEqual(before);
  expect(control.texts()).toEqual((await ready()).host.control.texts());
  expect(await kit.history()).toEqual([]);
  expect(events).toEqual([]);
});

describe("what a preview shows is what the call then does", () => {
  const name = fc.constantFrom(
    "a.txt",
    "b.txt",
    "crlf.txt",
    "wide.txt",
    "new.txt",
    "x/y.txt",
    "link",
  );
  const text = fc
    .array(fc.constantFrom("one", "two", "three", "ü€", "", "\t x"), { maxLength: 6 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));
  const call: fc.Arbitrary<Call> = fc.oneof(
    fc.record({
      name: fc.constant("Write"),
      input: fc.record({ file_path: name, content: text, overwrite: fc.constant(true) }),
    }),
    fc.record({
      name: fc.constant("Edit"),
      input: fc.record({
        file_path: name,
        old_string: fc.constantFrom("one", "two", "o", "b", "no end", "one\ntwo"),
        new_string: text,
        replace_all: fc.boolean(),
      }),
    }),
    fc
      .tuple(fc.constantFrom("a.txt", "crlf.txt"), fc.boolean(), text)
      .map(([file, moves, added]) =>
        patch(
          `*** Update File: ${file}`,
          ...(moves ? ["*** Move to: to/there.txt"] : []),
          "@@",
          " one",
          ...added.split("\n").map((line) => `+${line}`),
          "*** Delete File: src/c.ts",
        ),
      ),
    fc.record({
      name: fc.constant("NotebookEdit"),
      input: fc.record({
        notebook_path: fc.constant("n.ipynb"),
        cell_id: fc.constant("c1"),
        new_source: text,
        cell_type: fc.constant("markdown"),
        edit_mode: fc.constantFrom("replace", "insert", "delete"),
      }),
    }),
    fc.record({
      name: fc.constant("Gitignore"),
      input: fc.record({
        action: fc.constant("add"),
        patterns: fc.array(fc.constantFrom("dist", "*.log", "a b", "#x"), { minLength: 1 }),
        file: fc.constantFrom(".gitignore", "new.ignore"),
      }),
    }),
  );

  test("path by path: what becomes of it, mode, content and difference", async () => {
    await fc.assert(
      fc.asyncProperty(call, async (each) => {
        const { kit, host } = await ready();
        const before = await contents(host);
        const { preview, error } = await kit.preview(each);
        const outcome = await kit.call(each);
        const after = await contents(host);

        expect(error?.code).toBe(outcome.error?.code);
        expect(preview?.content).toBe(outcome.error === undefined ? outcome.text : undefined);
        const changes = preview?.changes ?? [];
        const paths = [...new Set([...before.keys(), ...after.keys()])];
        const changed = paths.filter((path) => before.get(path)?.key !== after.get(path)?.key);
        expect(changes.map(({ path }) => path)).toEqual(changed.toSorted());
        for (const change of changes) hold(change, before, after);
      }),
      { numRuns: runs(150) },
    );
  });

  test("the session has seen nothing by it", async () => {
    const { kit } = await world({ mode: "bypassPermissions" }, { files });

    await kit.preview({ name: "Read", input: { file_path: "a.txt" } });
    await kit.preview({ name: "Write", input: { file_path: "new.txt", content: "x" } });
    const edited = await kit.call({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "1" },
    });

    expect(edited.error?.code).toBe("NOT_READ");
    expect((await kit.call({ name: "Read", input: { file_path: "new.txt" } })).error?.code).toBe(
      "NOT_FOUND",
    );
  });

  test("a file read in a session can be previewed to be edited there", async () => {
    const { kit } = await world({ mode: "bypassPermissions" }, { files });
    const edit = {
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "1" },
    };
    await kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId: "s" });

    expect((await kit.preview(edit)).error?.code).toBe("NOT_READ");
    expect((await kit.preview(edit, { sessionId: "s" })).preview?.summary).toBe(
      "Would change a.txt (1 added, 1 removed).",
    );
  });
});

interface Content {
  readonly key: string;
  readonly mode: number;
  readonly bytes: Uint8Array | undefined;
}

async function contents(host: MemoryHost): Promise<ReadonlyMap<string, Content>> {
  const found = new Map<string, Content>();
  const visit = async (root: string): Promise<void> => {
    for await (const { name, kind } of host.fs.list(root)) {
      const path = `${root}/${name}`;
      const { mode } = await host.fs.stat(path);
      const file = kind === "file" ? await host.fs.readFile(path) : undefined;
      found.set(path, { key: `${kind} ${mode} ${file?.hash}`, mode, bytes: file?.bytes });
      if (kind === "directory") await visit(path);
    }
  };
  await visit("/project");
  return found;
}

function hold(
  change: PreviewChange,
  before: ReadonlyMap<string, Content>,
  after: ReadonlyMap<string, Content>,
): void {
  const old = before.get(change.path);
  const left = after.get(change.path);
  const becomes = old === undefined ? "created" : left === undefined ? "deleted" : "modified";
  expect(change.change).toBe(becomes);
  expect(change.mode).toBe(left?.mode === old?.mode ? undefined : left?.mode);
  if (change.kind !== "file") return;
  expect(change.size).toBe((left ?? old)?.bytes?.length);
  const texts = [old, left].map((side) => textOf(side?.bytes, change.encoding));
  expect(applyDiff(texts[0] ?? "", change.diff ?? "", { autoConvertLineEndings: false })).toBe(
    texts[1],
  );
}

function textOf(bytes: Uint8Array | undefined, encoding: PreviewChange["encoding"]): string {
  if (bytes === undefined) return "";
  if (encoding === "UTF-8" || encoding === undefined) return decoder.decode(bytes);
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

describe("what is not shown", () => {
  test("a denied call is not looked at", async () => {
    const { kit } = await world({ rules: { deny: ["Read(src/**)"] } }, { files });
    const shown = await kit.preview({ name: "Read", input: { file_path: "src/c.ts" } });

    expect(shown.decision?.kind).toBe("deny");
    expect(shown.preview).toBeUndefined();
  });

  test("what would be read needs its yes first", async () => {
    const outside = { ...files, "/etc/passwd": "root" };
    const { kit, asked } = await world({ answers: [{ kind: "once" }] }, { files: outside });
    const read = { name: "Read", input: { file_path: "/etc/passwd" } };

    const shown = await kit.preview(read);
    const approved = await kit.preview(read, { approved: true });

    expect(shown.preview).toEqual({
      summary: "Would change no file. It was not run, because that needs a yes first.",
      changes: [],
      basis: "declared",
    });
    expect(approved.preview?.content).toContain("root");
    expect(asked).toEqual([]);
  });

  test("secrets are taken out of what is shown", async () => {
    const token = `ghp_${"A1b2".repeat(9)}`;
    const { kit } = await world(
      { mode: "bypassPermissions" },
      { files: { "t.txt": `${token}\n` } },
    );
    const write = { name: "Write", input: { file_path: "t.txt", content: "x\n", overwrite: true } };

    expect(JSON.stringify((await kit.preview(write)).preview)).not.toContain(token);
    expect(
      JSON.stringify((await kit.preview({ name: "Read", input: { file_path: "t.txt" } })).preview),
    ).not.toContain(token);
  });
});
