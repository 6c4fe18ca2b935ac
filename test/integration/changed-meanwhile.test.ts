import { afterEach, describe, expect, test } from "vitest";
import { localHost, memoryHost } from "../../src/host/index.ts";
import {
  createToolkit,
  ToolError,
  type Host,
  type Kit,
  type Outcome,
  type Tool,
} from "../../src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { tool } from "./world.ts";

// A call stores the old file, reads it, replaces it and records the result. A change by others in between is neither
// lost nor taken for the call's own work, though the call checks the file no oftener than it must.

const at = temporaryFolder("meanwhile");
let kit: Kit | undefined;
afterEach(async () => {
  await kit?.dispose();
  kit = undefined;
});

const old = "one\ntwo\nthree\n";
const edited = "one\n2\nthree\n";
const others = "other content\n";
const large = (text: string, lines = 20_000): string => `${text}${"line\n".repeat(lines)}`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface World {
  readonly host: Host;
  readonly file: string;
  readonly kit: Kit;
  readonly text: () => Promise<string>;
  /** How often the host was asked to read the file, or look at it, since the last time. */
  readonly looks: () => readonly string[];
  /** Makes another process change the file, once, right after the host has done this to it for a call. */
  readonly after: (operation: "readFile" | "writeAtomic", change?: () => Promise<unknown>) => void;
}

const kinds = ["memory", "local"] as const;

async function world(kind: (typeof kinds)[number], extra: readonly Tool[] = []): Promise<World> {
  const isMemory = kind === "memory";
  const root = isMemory ? "/project" : at("work");
  const host: Host = isMemory ? memoryHost({ root }) : await localHost();
  const file = `${root}/a.txt`;
  const { fs } = host;
  const readFile = fs.readFile.bind(fs);
  const writeAtomic = fs.writeAtomic.bind(fs);
  const stat = fs.stat.bind(fs);
  await fs.mkdir(root);
  await writeAtomic(file, encode(old));
  let looks: string[] = [];
  let meddling: string | undefined;
  const changeIt = async (): Promise<unknown> => writeAtomic(file, encode(others));
  let change = changeIt;
  const meddle = async (path: string, operation: string): Promise<void> => {
    if (path !== file || operation !== meddling) return;
    meddling = undefined;
    await change();
  };
  fs.readFile = async (path, options) => {
    if (path === file) looks.push("read");
    const found = await readFile(path, options);
    await meddle(path, "readFile");
    return found;
  };
  fs.stat = async (path, options) => {
    if (path === file) looks.push("stat");
    return stat(path, options);
  };
  fs.writeAtomic = async (path, data, options) => {
    const written = await writeAtomic(path, data, options);
    await meddle(path, "writeAtomic");
    return written;
  };
  kit = await createToolkit({
    host,
    workspace: root,
    mode: "bypassPermissions",
    dataDirectory: isMemory ? "/data" : at("data"),
    sandbox: { require: "off" },
    tools: { extra },
  });
  await kit.call({ name: "Read", input: { file_path: file } });
  looks = [];
  return {
    host,
    file,
    kit,
    text: async () => decode((await readFile(file)).bytes),
    looks: () => looks.splice(0),
    after: (operation, by = changeIt) => {
      meddling = operation;
      change = by;
    },
  };
}

type Change = (world: World) => Promise<Outcome>;

const edit: Change = async ({ kit: own, file }) =>
  await own.call({ name: "Edit", input: { file_path: file, old_string: "two", new_string: "2" } });
const write: Change = async ({ kit: own, file }) =>
  await own.call({ name: "Write", input: { file_path: file, content: edited } });
const changes: readonly (readonly [name: string, change: Change])[] = [
  ["Edit", edit],
  ["Write", write],
];

/** A tool that changes files through its host alone, in its own way. */
function changing(name: string, run: Parameters<typeof tool>[1]): Tool {
  return tool(name, run, {
    touches: ["read", "write"],
    staged: "files",
    effects: () => [
      { kind: "read", path: "a.txt", scope: "file" },
      { kind: "write", path: "a.txt", scope: "file", change: "any" },
      { kind: "write", path: "b.txt", scope: "file", change: "any" },
    ],
  });
}

describe.each(kinds)("on the %s host", (kind) => {
  describe.each(changes)("%s", (_name, change) => {
    test("is refused where the file changed after it was kept, and that is not its own", async () => {
      const here = await world(kind);
      here.after("readFile");

      const outcome = await change(here);

      expect(outcome.error).toMatchObject({ code: "STALE_READ" });
      expect(outcome.undo).toBeUndefined();
      expect(await here.text()).toBe(others);
      await expect(here.kit.undo()).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await here.text()).toBe(others);
    });

    test("is not undone where the file changed before the call was over", async () => {
      const here = await world(kind);
      here.after("writeAtomic");

      const outcome = await change(here);

      expect(outcome.status).toBe("ok");
      expect(await here.text()).toBe(others);
      await expect(here.kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
      expect(await here.text()).toBe(others);
    });

    test("is not undone where the file changed after it", async () => {
      const here = await world(kind);
      await change(here);
      await here.host.fs.writeAtomic(here.file, encode(others));

      await expect(here.kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
      expect(await here.text()).toBe(others);
    });

    test("is undone and redone byte for byte", async () => {
      const here = await world(kind);

      const outcome = await change(here);

      expect(outcome.undo).toMatchObject({ level: "full" });
      expect(await here.text()).toBe(edited);
      await here.kit.undo();
      expect(await here.text()).toBe(old);
      await here.kit.redo();
      expect(await here.text()).toBe(edited);
    });
  });

  test("an edit has the file read once, and looked at no more", async () => {
    const here = await world(kind);

    await edit(here);

    expect(here.looks().filter((look) => look === "read")).toEqual(["read"]);
  });

  test("a file too large to be held is not replaced where it changed after it was kept", async () => {
    const here = await world(kind);
    await here.host.fs.writeAtomic(here.file, encode(large(old)));
    here.after("readFile");

    const outcome = await here.kit.call({
      name: "Write",
      input: { file_path: here.file, content: large(edited), overwrite: true },
    });

    expect(outcome.error).toMatchObject({ code: "STALE_READ" });
    expect(outcome.undo).toBeUndefined();
    expect(await here.text()).toBe(others);
    await expect(here.kit.undo()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await here.text()).toBe(others);
  });

  test("a patch is refused where another call changed the file after it was kept", async () => {
    const here = await world(kind);
    const patch = async (from: string, to: string): Promise<Outcome> => {
      const hunk = `*** Update File: a.txt\n@@\n-${from}\n+${to}\n`;
      const input = { patch: `*** Begin Patch\n${hunk}*** End Patch` };
      return await here.kit.call({ name: "ApplyPatch", input });
    };
    here.after("readFile", async () => await patch("three", "3"));
    expect((await patch("one", "1")).error).toMatchObject({ code: "STALE_READ" });
    expect(await here.text()).toBe("one\ntwo\n3\n");
    expect((await here.kit.undo()).calls).toHaveLength(1);
    expect(await here.text()).toBe(old);
  });

  test("a failed call does not claim a change made by others while it ran", async () => {
    const here = await world(kind);
    here.after("readFile");

    const outcome = await here.kit.call({
      name: "Edit",
      input: { file_path: here.file, old_string: "not there", new_string: "x" },
    });

    expect(outcome.status).toBe("failed");
    expect(outcome.undo).toBeUndefined();
    await expect(here.kit.undo()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await here.text()).toBe(others);
  });

  test.each([20_000, 60_000])(
    "a file of %d lines is not undone where it changed before the call was over",
    async (lines) => {
      const here = await world(kind);
      await here.host.fs.writeAtomic(here.file, encode(large(old, lines)));
      await here.kit.call({ name: "Read", input: { file_path: here.file, limit: 5 } });
      here.after("writeAtomic");

      expect((await edit(here)).undo).toMatchObject({ level: "full" });

      await expect(here.kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
      expect(await here.text()).toBe(others);
      await here.kit.undo({ last: 1 }, { force: true });
      expect(await here.text()).toBe(large(old, lines));
    },
  );

  test("new files and those of a patch are not undone where they changed before the call was over", async () => {
    const here = await world(kind);
    const { fs } = here.host;
    const writeAtomic = fs.writeAtomic.bind(fs);
    const folder = `${here.file}.d`;
    const names = ["a.txt.d/1.txt", "a.txt.d/2.txt"];
    const first = `${folder}/1.txt`;
    fs.writeAtomic = async (path, data, options) => {
      const written = await writeAtomic(path, data, options);
      if (path === first) await writeAtomic(path, encode(others));
      return written;
    };
    const hunks = names.map((path) => `*** Add File: ${path}\n+new\n`);
    const patch = { patch: `*** Begin Patch\n${hunks.join("")}*** End Patch` };
    const calls = [
      { name: "Write", input: { file_path: first, content: "new\n" } },
      { name: "ApplyPatch", input: patch },
    ];
    for (const call of calls) {
      const outcome = await here.kit.call(call);

      expect(outcome.undo).toMatchObject({ level: "full" });
      await expect(here.kit.undo()).rejects.toMatchObject({ code: "STALE_READ" });
      await here.kit.undo({ last: 1 }, { force: true });
      await expect(fs.stat(folder)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("what a call has changed itself it may replace by what it is now", async () => {
    const again = changing("OwnWork", async (_input, { host }) => {
      await host.fs.append("a.txt", encode("more\n"));
      const { hash } = await host.fs.readFile("a.txt");
      await host.fs.writeAtomic("a.txt", encode("all\n"), { ifMatch: hash });
      return { content: "done" };
    });
    const here = await world(kind, [again]);

    expect((await here.kit.call({ name: "OwnWork", input: {} })).status).toBe("ok");
    expect(await here.text()).toBe("all\n");
    await here.kit.undo();
    expect(await here.text()).toBe(old);
  });

  test("a call of several changes is noted as it was left", async () => {
    const twice = changing("Twice", async (_input, { host }) => {
      await host.fs.writeAtomic("a.txt", encode("first\n"));
      await host.fs.append("a.txt", encode("second\n"));
      return { content: "done" };
    });
    const here = await world(kind, [twice]);

    await here.kit.call({ name: "Twice", input: {} });

    expect(await here.text()).toBe("first\nsecond\n");
    await here.kit.undo();
    expect(await here.text()).toBe(old);
    await here.kit.redo();
    expect(await here.text()).toBe("first\nsecond\n");
  });

  test("a refused change does not hide one that was made besides", async () => {
    const besides = changing("Besides", async (_input, { host }) => {
      await host.fs.append("a.txt", encode("more\n"));
      const ifMatch = "sha256:other";
      await host.fs.writeAtomic("a.txt", encode("x"), { ifMatch }).catch(() => undefined);
      return { content: "done" };
    });
    const here = await world(kind, [besides]);

    await here.kit.call({ name: "Besides", input: {} });
    await here.kit.undo();

    expect(await here.text()).toBe(old);
  });

  test("a change that was made before its write failed is recorded as well", async () => {
    const here = await world(kind);
    const { fs } = here.host;
    const writeAtomic = fs.writeAtomic.bind(fs);
    fs.writeAtomic = async (path, data, options) => {
      const written = await writeAtomic(path, data, options);
      if (path === here.file) throw new ToolError("NO_SPACE", "The disk is full.");
      return written;
    };

    const outcome = await edit(here);
    fs.writeAtomic = writeAtomic;

    expect(outcome.error).toMatchObject({ code: "NO_SPACE" });
    expect(await here.text()).toBe(edited);
    await here.kit.undo();
    expect(await here.text()).toBe(old);
  });

  test("what a tool does with its bytes afterwards is not what it wrote", async () => {
    const reusing = changing("Reusing", async (_input, { host }) => {
      const bytes = Buffer.from("written\n");
      await host.fs.writeAtomic("a.txt", bytes);
      bytes.fill("x");
      return { content: "done" };
    });
    const here = await world(kind, [reusing]);
    await here.kit.call({ name: "Reusing", input: {} });

    const [noted] = await here.kit.history();
    await here.kit.undo();
    await here.kit.redo();

    expect(noted?.changes).toEqual([{ path: here.file, change: "modified" }]);
    expect(await here.text()).toBe("written\n");
  });

  test("what was kept is what a call reads only until it changes something", async () => {
    const read: string[] = [];
    const again = changing("Again", async (_input, { host }) => {
      const look = async (): Promise<void> => {
        read.push(decode((await host.fs.readFile("a.txt", { asCaptured: true })).bytes));
      };
      await look();
      await host.fs.writeAtomic("a.txt", encode("new\n"));
      await look();
      return { content: "done" };
    });
    const here = await world(kind, [again]);

    await here.kit.call({ name: "Again", input: {} });

    expect(read).toEqual([old, "new\n"]);
  });

  test("what was kept is held to the size that is asked for", async () => {
    const small = changing("Small", async (_input, { host }) => {
      await host.fs.readFile("a.txt", { asCaptured: true, maxBytes: old.length - 1 });
      return { content: "done" };
    });
    const here = await world(kind, [small]);

    const outcome = await here.kit.call({ name: "Small", input: {} });

    expect(outcome.error).toMatchObject({ code: "TOO_LARGE" });
  });

  test("who does not say that it will do reads the file as it is", async () => {
    const plain = changing("Plain", async (_input, { host }) => {
      return { content: decode((await host.fs.readFile("a.txt")).bytes) };
    });
    const here = await world(kind, [plain]);
    here.after("readFile");

    const outcome = await here.kit.call({ name: "Plain", input: {} });

    expect(outcome.text).toBe(others);
  });
});
