import { expect, test } from "vitest";
import { mkdtemp, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit } from "../../src/index.ts";

test("env reaches commands of a trusted workspace, and of no other", async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), "haft-env-"));
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "haft-env-data-"));
  await mkdir(path.join(workspace, ".haft"));
  const settings = { env: { HAFT_GREETING: "hello" } };
  await writeFile(path.join(workspace, ".haft/settings.json"), JSON.stringify(settings));
  const said = async (trust: boolean): Promise<string> => {
    await using kit = await createToolkit({
      workspace,
      dataDirectory,
      settings: "load",
      trust,
      rules: { allow: ["Bash(node *)"] },
      sandbox: { require: "off" },
    });
    const command = `node -p 'process.env.HAFT_GREETING ?? "nothing"'`;
    return (await kit.call({ name: "Bash", input: { command } })).text;
  };

  expect(await said(true)).toContain("hello");
  expect(await said(false)).toContain("nothing");
});
