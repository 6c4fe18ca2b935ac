import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { memoryHost } from "../host/index.ts";
import { leavingExit, startLine } from "./exit-status-file.ts";

const at = temporaryFolder("exit-status-file");
const input = startLine(memoryHost());

test.skipIf(process.platform !== "linux")(
  "a task starts with a line on its input, and reads the rest of it",
  () => {
    const file = at("task.exit");
    const [shell = "", ...script] = leavingExit(memoryHost(), ["cat"], file);
    const env = { PATH: process.env["PATH"] };

    const started = spawnSync(shell, script, { input: "\nfor the task\n", env });
    rmSync(file);
    const abandoned = spawnSync(shell, script, { input: "", env });

    expect(started.stdout.toString()).toBe("for the task\n");
    expect({ stdout: abandoned.stdout.toString(), status: abandoned.status }).toEqual({
      stdout: "",
      status: 125,
    });
    expect(existsSync(file)).toBe(false);
  },
);

test.skipIf(process.platform !== "linux")(
  "a task that is asked to end before its program has started does not start it",
  () => {
    const file = at("task.exit");
    const [shell = "", ...script] = leavingExit(memoryHost(), ["echo", "started"], file);

    // The shell expands PS4 before each command that it traces.
    const PS4 = '`[ -z "$haft_file" ] || kill -s TERM $$`';
    const ended = spawnSync(shell, ["-x", ...script], {
      input,
      env: { PATH: process.env["PATH"], PS4 },
    });

    expect({ stdout: ended.stdout.toString(), status: ended.status }).toEqual({
      stdout: "",
      status: 143,
    });
    expect(readFileSync(file, "utf8")).toBe("143");
  },
);

test.skipIf(process.platform !== "linux")(
  "a signal that arrives when the program has ended does not replace its exit code",
  () => {
    const file = at("task.exit");
    const [shell = "", ...script] = leavingExit(memoryHost(), ["sh", "-c", "exit 3"], file);

    const PS4 = '`[ -z "$haft_code" ] || kill -s TERM $$`';
    const ended = spawnSync(shell, ["-x", ...script], {
      input,
      env: { PATH: process.env["PATH"], PS4 },
    });

    expect({ status: ended.status, stored: readFileSync(file, "utf8") }).toEqual({
      status: 3,
      stored: "3",
    });
  },
);

test.skipIf(process.platform !== "linux")("a task sees the variables of its environment", () => {
  const [shell = "", ...script] = leavingExit(memoryHost(), ["env"], at("task.exit"));
  const own = { file: "a", code: "b", ended: "c" };

  const { stdout } = spawnSync(shell, script, {
    input,
    env: { PATH: process.env["PATH"], ...own },
  });

  expect(stdout.toString().split("\n")).toEqual(
    expect.arrayContaining(["file=a", "code=b", "ended=c"]),
  );
});
