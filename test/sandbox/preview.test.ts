import { createServer, type AddressInfo } from "node:net";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createToolkit } from "../../src/index.ts";
import { treeHash } from "../support/cli.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

/** A workspace on the real file system, and where the toolkit keeps its things. */
async function place() {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-preview-")));
  const workspace = path.join(root, "work");
  const dataDirectory = path.join(root, "data");
  await mkdir(workspace);
  await writeFile(path.join(workspace, "a.txt"), "one\ntwo\n");
  const kit = await createToolkit({ workspace, dataDirectory, mode: "bypassPermissions" });
  return {
    kit,
    workspace,
    async [Symbol.asyncDispose]() {
      await kit.dispose();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test("a real command is tried on an overlay, shown exactly, and leaves nothing", async ({
  skip,
}) => {
  await using world = await place();
  const { kit, workspace } = world;
  if (!(await kit.stagesCommands())) skip("there are no overlays here");
  const before = await treeHash(workspace);
  const command = 'echo said; sed -i s/two/2/ a.txt; node -e \'require("fs").mkdirSync("made")\'';

  const { preview, error } = await kit.preview({ name: "Bash", input: { command } });

  expect(error).toBeUndefined();
  expect(preview).toMatchObject({ basis: "run", content: "said" });
  expect(preview?.changes?.map(({ path: at, change }) => [path.basename(at), change])).toEqual([
    ["a.txt", "modified"],
    ["made", "created"],
  ]);
  expect(preview?.diff).toContain("-two\n+2");
  expect(await treeHash(workspace)).toBe(before);
  expect(await kit.history()).toEqual([]);

  await kit.call({ name: "Bash", input: { command } });
  expect(await readFile(path.join(workspace, "a.txt"), "utf8")).toBe("one\n2\n");
});

test("a command that is tried ends with its time, and says so", async ({ skip }) => {
  await using world = await place();
  const { kit, workspace } = world;
  if (!(await kit.stagesCommands())) skip("there are no overlays here");
  const before = await treeHash(workspace);

  const { error } = await kit.preview({
    name: "Bash",
    input: { command: "touch x; node -e 'setInterval(() => 0, 1000)'", timeout: 500 },
  });

  expect(error?.code).toBe("TIMEOUT");
  expect(await treeHash(workspace)).toBe(before);
});

test("what is only tried reaches nothing: no other file, no heavy folder, no network", async ({
  skip,
}) => {
  await using world = await place();
  const { kit, workspace } = world;
  if (!(await kit.stagesCommands())) skip("there are no overlays here");
  const outside = path.join(workspace, "../outside");
  await mkdir(outside);
  await mkdir(path.join(workspace, "node_modules"));
  await writeFile(path.join(workspace, "node_modules/x.js"), "old\n");
  const server = createServer((socket) => socket.end("met\n"));
  let met = 0;
  server.on("connection", () => (met += 1));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const before = [await treeHash(workspace), await treeHash(outside)];
  const program = `
    const fs = require("node:fs");
    const attempt = (what) => { try { what(); } catch {} };
    attempt(() => fs.writeFileSync("${outside}/made", "x"));
    attempt(() => fs.writeFileSync("node_modules/x.js", "new"));
    attempt(() => fs.writeFileSync("here", "x"));
    require("node:net").connect(${port}, "127.0.0.1").on("error", () => {}).on("data", () => {});`;
  await writeFile(path.join(workspace, "try.cjs"), program);
  before[0] = await treeHash(workspace);

  const { preview, error } = await kit.preview(
    { name: "Bash", input: { command: `node try.cjs; echo x > ${outside}/named` } },
    { approved: true },
  );
  await new Promise((done) => server.close(done));

  expect(error).toBeUndefined();
  expect(preview?.changes?.map(({ path: at }) => path.relative(workspace, at))).toEqual([
    "here",
    "node_modules/x.js",
  ]);
  expect([await treeHash(workspace), await treeHash(outside)]).toEqual(before);
  expect(met).toBe(0);
});
