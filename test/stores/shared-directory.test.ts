import { mkdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import { kitLibrary } from "../../src/server/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("shared-data-directory");

/** Opens a workspace; all of this file have one data directory. */
async function open(workspace: string): Promise<Kit> {
  mkdirSync(at(workspace), { recursive: true });
  const kit = await createToolkit({
    workspace: at(workspace),
    dataDirectory: at("data"),
    rules: { allow: ["Bash"] },
  });
  onTestFinished(async () => await kit.dispose());
  return kit;
}

/** Runs a command whose output is shortened; returns the file of the whole output. */
async function print(kit: Kit): Promise<string> {
  const { artifact } = await kit.call({ name: "Bash", input: { command: "seq 1 20000" } });
  if (artifact === undefined) throw new Error("The output was not shortened.");
  return artifact.path;
}

async function artifactsOf(kit: Kit): Promise<readonly string[]> {
  const uris = (await kitLibrary(kit).resources()).map(({ uri }) => uri);
  return uris.filter((uri) => uri.startsWith("haft://artifacts/"));
}

test("of a shared data directory, a workspace offers only its own artifacts", async () => {
  const one = await open("one");
  const other = await open("other");
  await print(one);

  const [uri = ""] = await artifactsOf(one);

  expect(await artifactsOf(other)).toEqual([]);
  expect(await kitLibrary(one).read(uri)).toMatchObject([{ text: expect.stringContaining("42") }]);
  expect(await kitLibrary(other).read(uri)).toBeUndefined();
  const template = "haft://artifacts/{name}";
  expect(await kitLibrary(other).complete({ template }, "name", "")).toEqual([]);
});

test("of a shared data directory, tools read only the artifacts of their workspace", async () => {
  const one = await open("one");
  const other = await open("other");
  const file = await print(one);
  const read = { name: "Read", input: { file_path: file } };

  const own = await one.call(read);
  const foreign = await other.call(read);
  const command = await other.call({ name: "Bash", input: { command: `cat ${file}` } });

  expect(own.isError).toBe(false);
  expect(foreign).toMatchObject({ isError: true, error: { code: "APPROVAL_REQUIRED" } });
  expect(command).toMatchObject({ isError: true, error: { code: "APPROVAL_REQUIRED" } });
});

test("a workspace finds its artifacts of an earlier toolkit in a shared data directory", async () => {
  const earlier = await open("one");
  await print(earlier);
  const uris = await artifactsOf(earlier);
  await earlier.dispose();

  const later = await open("one");

  expect(uris.length).toBeGreaterThan(0);
  expect(await artifactsOf(later)).toEqual(uris);
});
