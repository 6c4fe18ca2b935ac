import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeToolkit, writeEffect, type FakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { loadModel } from "../load-model.ts";
import { startRun } from "../../loop/run.ts";

const examples = path.join(import.meta.dirname, "../../../../examples");

let workspace = "";
beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), "haft-demo-"));
  await cp(path.join(examples, "fix-failing-test"), workspace, { recursive: true });
});
afterEach(async () => {
  await rm(workspace, { recursive: true, force: true });
});

function textInput(input: unknown, key: string): string {
  const value: unknown = typeof input === "object" && input !== null && Reflect.get(input, key);
  if (typeof value !== "string") throw new TypeError(`${key} is not a text`);
  return value;
}

function fileOf(input: unknown): string {
  return path.join(workspace, textInput(input, "file_path"));
}

async function runTests(): Promise<{ failed: boolean; text: string }> {
  return await new Promise((resolve) => {
    // The outer test runner must not pass its settings to the inner one.
    const env = { PATH: process.env["PATH"], HOME: workspace };
    execFile(process.execPath, ["--test"], { cwd: workspace, env }, (error, stdout) =>
      resolve({ failed: error !== null, text: stdout }),
    );
  });
}

/** Minimal versions of the four tools that the script uses, on the copied project. */
function projectTools(): FakeToolkit {
  return fakeToolkit({
    Bash: {
      run: async (input) => {
        expect(textInput(input, "command")).toBe("node --test");
        const { failed, text } = await runTests();
        return {
          status: failed ? "failed" : "ok",
          isError: failed,
          content: [{ type: "text", text }],
        };
      },
    },
    Grep: { run: () => "src/house.js:1:import\nsrc/stay.js:18:export function overlaps" },
    Read: { run: async (input) => await readFile(fileOf(input), "utf8") },
    Edit: {
      run: async (input) => {
        const before = await readFile(fileOf(input), "utf8");
        const parts = before.split(textInput(input, "old_string"));
        expect(parts).toHaveLength(2);
        await writeFile(fileOf(input), parts.join(textInput(input, "new_string")));
        return { effects: [writeEffect(fileOf(input))] };
      },
    },
  });
}

test("the demo's script finds the failing test, corrects the source and sees the test pass", async () => {
  const model = await loadModel("script:fix-failing-test.script.json", {
    readText: async (file) => await readFile(path.join(examples, file), "utf8"),
  });
  const toolkit = projectTools();

  const result = await startRun({ toolkit, model, task: "Make the tests pass." }).result;

  expect(result.text).toMatchInlineSnapshot(
    `"Done. All 5 tests pass. \`overlaps\` in src/stay.js took the day of departure for a night, so a guest could not arrive on the day another left. Both comparisons are strict now; a room is still not booked twice for the same night, which another test checks."`,
  );
  expect(result).toMatchObject({ status: "done", turns: 6, calls: 6 });
  const said = result.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.map((part) => (part.type === "text" ? part.text : part.type))
      : [],
  );
  expect(said[2]).toContain('"a guest may arrive on the day another leaves"');
  expect(await runTests()).toMatchObject({ failed: false });
});

test("the demo's script stops honestly where a call does not go as it expects", async () => {
  const model = await loadModel("script:fix-failing-test.script.json", {
    readText: async (file) => await readFile(path.join(examples, file), "utf8"),
  });
  const toolkit = projectTools();
  toolkit.tools.set("Edit", { run: () => ({ status: "denied", isError: true }) });

  const result = await startRun({ toolkit, model, task: "Make the tests pass." }).result;

  expect(result.text).toMatch(/^I stop here/u);
  expect(result.denials).toHaveLength(1);
});
