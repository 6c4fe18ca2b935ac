import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { startRun } from "../../loop/run.ts";
import { parseScript } from "./parse-script.ts";
import { scriptedModel } from "./scripted-model.ts";

const reference = path.join(import.meta.dirname, "../../../../docs/reference/script.md");

test("the script in the reference plays as the reference says", async () => {
  const [, source = ""] = /```json\n([\s\S]*?)```/u.exec(await readFile(reference, "utf8")) ?? [];
  const script = await parseScript(source, "script.md");
  const readText = async (text: string): Promise<string> => {
    const toolkit = fakeToolkit({ Read: { run: () => text } });
    const { result } = startRun({ toolkit, model: scriptedModel(script), task: "go" });
    return (await result).text;
  };

  expect(await readText("     1\t# haft\n     2\t")).toBe("It is about haft.");
  expect(await readText("     1\tno title")).toBe("It has no title.");
  const failing = startRun({ toolkit: fakeToolkit(), model: scriptedModel(script), task: "go" });
  expect((await failing.result).text).toBe("That failed with UNKNOWN_TOOL. I stop here.");
});
