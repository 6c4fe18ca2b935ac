import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { OnAsk, Store } from "../../src/core/index.ts";
import type { MemoryHostOptions } from "../../src/host/index.ts";
import { localStore, memoryStore } from "../../src/host/store/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/kit/index.ts";
import { scenes } from "../support/agent-world.ts";
import { withoutFiles } from "../support/plain-store.ts";
import { remoteHost, type RemoteHost } from "../support/remote-host.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("remote-store");

// The user's own settings are in the home directory: a test must not reach those of the user who runs it.
beforeEach(() => void vi.stubEnv("HOME", at("home")));
const open: Kit[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const kit of open.splice(0)) await kit.dispose();
});

const files = { "a.txt": "one\n", ".haft/settings.json": '{"permissions":{"allow":["Read"]}}' };
const programs: MemoryHostOptions["programs"] = {
  bash: async (argv, io) => {
    io.stdout("started\n");
    if (argv.some((word) => word.includes("serve"))) {
      await new Promise((resolve) => io.signal.addEventListener("abort", resolve));
    }
    return 0;
  },
};

async function openKit(host: RemoteHost, options: ToolkitOptions): Promise<Kit> {
  const kit = await createToolkit({ host: host.host, mode: "acceptEdits", ...options });
  open.push(kit);
  return kit;
}

const write = (content: string, file_path = "new.txt") => ({
  name: "Write",
  input: { file_path, content },
});
const writes = (file_path: string) => ({
  calls: [{ name: "Write", input: { file_path, content: "x" } }],
});

const textAt = (host: RemoteHost, name: string): string | undefined =>
  host.machine.control.texts()[`/project/${name}`];

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  "a local store": async () => await localStore(at("data")),
  "a store in memory": async () => memoryStore(),
  "a store of areas alone": async () => withoutFiles(memoryStore()),
};

describe.each(Object.entries(stores))("with %s", (_name, openStore) => {
  test("calls are undone and redone, also by a later toolkit, and the host sees no own file", async () => {
    const store = await openStore();
    const remote = remoteHost({ files, programs });
    const kit = await openKit(remote, { store });
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    await kit.call({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "two" },
    });
    await kit.call(write("x"));
    await kit.undo({ last: 1 });
    await kit.dispose();
    const later = await openKit(remote, { store });

    expect(textAt(remote, "new.txt")).toBeUndefined();
    await later.redo();
    expect(textAt(remote, "new.txt")).toBe("x");
    await later.undo({ last: 2 });
    expect(textAt(remote, "a.txt")).toBe("one\n");
    expect(textAt(remote, "new.txt")).toBeUndefined();
    expect(remote.seen.filter((each) => each.includes(later.storage.directory))).toEqual([]);
  });

  test("a long answer is an artifact that Read and Grep open, and nothing else there is", async () => {
    const store = await openStore();
    const long = Array.from({ length: 3000 }, (_, line) => `line ${line} of many`).join("\n");
    const remote = remoteHost({ files: { ...files, "long.txt": long }, programs });
    const kit = await openKit(remote, {
      store,
      maxChars: 2000,
      rules: { allow: ["Read", "Grep"] },
    });
    const outcome = await kit.call({
      name: "Grep",
      input: { pattern: "line", path: "long.txt", output_mode: "content", head_limit: 2900 },
    });
    const file = outcome.artifact?.path ?? "";

    const read = await kit.call({
      name: "Read",
      input: { file_path: file, offset: 2000, limit: 1 },
    });
    const found = await kit.call({
      name: "Grep",
      input: { pattern: "line 2500 of", path: file, output_mode: "content" },
    });
    const listed = await kit.call({
      name: "Glob",
      input: { pattern: "*.txt", path: path.dirname(file) },
    });

    expect(file).toContain(kit.storage.directory);
    expect(read.text).toContain("line 1998 of many");
    expect(found.text).toContain("line 2500 of many");
    expect(listed.text).toContain(path.basename(file));
    for (const input of [
      `${kit.storage.directory}/journal/format.json`,
      `${kit.storage.directory}/trust.json`,
    ]) {
      const refused = await kit.call({ name: "Read", input: { file_path: input } });
      expect(refused.isError).toBe(true);
      expect(refused.error?.code).toMatch(/PERMISSION_DENIED|ACCESS_DENIED/u);
    }
    for (const target of [file, `${kit.storage.directory}/trust.json`]) {
      const refused = await kit.call({ name: "Write", input: { file_path: target, content: "x" } });
      expect(refused.isError).toBe(true);
    }
    expect(remote.seen.filter((each) => each.includes(kit.storage.directory))).toEqual([]);
  });

  test("trust and saved rules last, and the host sees neither", async () => {
    const store = await openStore();
    const remote = remoteHost({ files, programs });
    const asked: string[] = [];
    const onAsk: OnAsk = async (ask) => {
      asked.push(ask.tool);
      return { kind: "save", rule: "Edit(//project/**)", scope: "user" };
    };
    const first = await openKit(remote, { store, settings: "load", mode: "default", onAsk });
    expect((await first.workspace.trust()).trusted).toBe(false);
    await (await first.workspace.trust()).accept();
    await first.call(write("x"));
    const later = await openKit(remote, { store, settings: "load", mode: "default", onAsk });
    const outcome = await later.call(write("y", "later.txt"));

    expect((await later.workspace.trust()).trusted).toBe(true);
    expect(outcome.status).toBe("ok");
    expect(asked).toEqual(["Write"]);
    expect(Object.keys(remote.machine.control.texts()).toSorted()).toEqual([
      "/project/.haft/settings.json",
      "/project/a.txt",
      "/project/later.txt",
      "/project/new.txt",
    ]);
    expect(remote.seen.filter((each) => each.includes(later.storage.directory))).toEqual([]);
  });

  test("a command in the background is read, stopped and listed by a later toolkit", async () => {
    const store = await openStore();
    const remote = remoteHost({ files, programs });
    const kit = await openKit(remote, { store, rules: { allow: ["Bash"] } });
    await kit.call({ name: "Bash", input: { command: "serve", run_in_background: true } });
    const [task] = await kit.tasks.list();
    const id = task?.id ?? "";
    await kit.tasks.stop(id);
    await kit.dispose();
    const later = await openKit(remote, { store });

    expect((await later.tasks.list()).map((each) => [each.id, each.status])).toEqual([
      [id, "ended"],
    ]);
    expect((await later.tasks.read(id)).text).toContain("started");
    expect(remote.seen.filter((each) => each.includes(kit.storage.directory))).toEqual([]);
  });
});

test("a later toolkit continues a session of a remote host", async () => {
  const store = await localStore(at("data"));
  const remote = remoteHost({ files });
  const model = scenes({ Write: [writes("new.txt"), { text: "written" }, { text: "again" }] });
  const first = await openKit(remote, { store, model });
  const run = first.run({ task: "Write new.txt" });
  await run.result;
  const { sessionId } = run;
  await first.dispose();
  const later = await openKit(remote, { store, model });

  const { text } = await later.run({ task: "And?", sessionId }).result;

  expect(text).toBe("again");
  expect(textAt(remote, "new.txt")).toBe("x");
  expect(readdirSync(at("data"))).toContain("sessions.db");
  expect(remote.seen.filter((each) => each.includes(at("data")))).toEqual([]);
});

describe("a host that forges files", () => {
  test("changes neither trust nor settings nor before-images", async () => {
    const data = at("forged");
    const remote = remoteHost({ files, programs });
    const kit = await openKit(remote, { dataDirectory: data, settings: "load" });
    await kit.call(write("x"));
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    await kit.call({
      name: "Edit",
      input: { file_path: "a.txt", old_string: "one", new_string: "two" },
    });
    const review = await kit.workspace.trust();
    const { control } = remote.machine;
    const trusting = JSON.stringify({
      version: 1,
      workspaces: {
        "/project": {
          files: Object.fromEntries(review.brings.map((each) => [each, "sha256:0"])),
          at: 1,
        },
      },
    });
    control.plant(`${data}/trust.json`, { kind: "file", content: trusting });
    for (const name of ["/home/user/.haft/settings.json", "/etc/haft/managed-settings.json"]) {
      control.plant(name, { kind: "file", content: '{"permissions":{"allow":["Bash"]}}' });
    }
    for (const name of readdirSync(data, { recursive: true, encoding: "utf8" })) {
      control.plant(`${data}/${name}.forged`, { kind: "file", content: "forged" });
    }
    await kit.dispose();
    const later = await openKit(remote, { dataDirectory: data, settings: "load" });

    expect((await later.workspace.trust()).trusted).toBe(false);
    expect((await later.call({ name: "Bash", input: { command: "curl x.test" } })).status).toBe(
      "denied",
    );
    await later.undo({ last: 2 });
    expect(textAt(remote, "a.txt")).toBe("one\n");
    expect(readFileSync(path.join(data, "journal/hosts/box/format.json"), "utf8")).toContain(
      "version",
    );
    expect(remote.seen.filter((each) => each.includes(data))).toEqual([]);
  });

  test("cannot lead haft into its own files by a link", async () => {
    const data = at("linked");
    const remote = remoteHost({ files, programs });
    remote.machine.control.plant("link.txt", { kind: "symlink", target: `${data}/trust.json` });
    const kit = await openKit(remote, { dataDirectory: data, rules: { allow: ["Read"] } });

    const read = await kit.call({ name: "Read", input: { file_path: "link.txt" } });

    expect(read.error?.code).toMatch(/PERMISSION_DENIED|ACCESS_DENIED/u);
  });
});

test("two hosts with one store undo only their own changes", async () => {
  const store = memoryStore();
  const [one, other] = [remoteHost({ id: "one", files }), remoteHost({ id: "other", files })];
  const kit = await openKit(one, { store });
  const child = kit.derive({ host: other.host });
  await kit.call(write("x"));
  await child.call(write("y"));

  await child.undo({ last: 1 });

  expect(textAt(one, "new.txt")).toBe("x");
  expect(textAt(other, "new.txt")).toBeUndefined();
  expect(await kit.history()).toHaveLength(1);
});

test("a store and a data directory name two places", async () => {
  const opening = createToolkit({ store: memoryStore(), dataDirectory: at("data") });

  await expect(opening).rejects.toThrow(
    "store and dataDirectory name two places; give one of them.",
  );
});
