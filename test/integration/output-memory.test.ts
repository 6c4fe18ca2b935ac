import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { moduleFlags } from "../support/from-source.ts";
import { areLawsFull } from "../support/law-runs.ts";

const source = new URL("../../src/index.ts", import.meta.url).href;

/** How many megabytes a program with a kit grows while a command prints some hundreds of them, at its peak. */
function growth(command: string, isInBackground: boolean): number {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-output-memory-")));
  mkdirSync(path.join(folder, "work"));
  const program = `
    const { createToolkit } = await import(${JSON.stringify(source)});
    const kit = await createToolkit({
      workspace: ${JSON.stringify(path.join(folder, "work"))},
      dataDirectory: ${JSON.stringify(path.join(folder, "data"))},
      mode: "bypassPermissions",
    });
    const peak = () => process.resourceUsage().maxRSS / 1024;
    const bash = (command, more) => kit.call({ name: "Bash", input: { command, ...more } });
    const whole = async (command, run_in_background) => {
      const outcome = await bash(command, { run_in_background });
      if (outcome.status !== "ok") throw new Error(outcome.text);
      const task_id = outcome.metadata.taskId;
      for (let isOver = task_id === undefined; !isOver;) {
        await kit.call({ name: "TaskOutput", input: { task_id, block: true, timeout: 10000 } });
        isOver = (await kit.tasks.list()).every(({ status }) => status !== "running");
      }
    };
    // The code that this loads is not what grows with the output.
    for (let round = 0; round < 4; round += 1) {
      await whole("echo warm; seq 100000; echo up >&2", ${isInBackground});
    }
    const before = peak();
    await whole(${JSON.stringify(command)}, ${isInBackground});
    const grown = peak() - before;
    await kit.dispose();
    console.log(grown);
  `;
  try {
    const options = { encoding: "utf8", timeout: 110_000 } as const;
    return Number(execFileSync(process.execPath, [...moduleFlags, program], options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// About 20 MB; kept as it came it would be more than 60.
const bytes = areLawsFull ? 300_000_000 : 100_000_000;
test.each([
  { command: `yes | head -c ${bytes}`, isInBackground: false },
  { command: `yes | head -c ${bytes} >&2`, isInBackground: false },
  { command: `yes | head -c ${bytes}`, isInBackground: true },
])(
  "$command in the background $isInBackground hardly grows the program",
  ({ command, isInBackground }) => {
    expect(growth(command, isInBackground)).toBeLessThan(45);
  },
  120_000,
);
