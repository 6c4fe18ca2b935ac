import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  existsSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const [bwrap] = drivers;
const isMissing =
  bwrap === undefined ||
  !(await probeDriver(bwrap)).works ||
  (await probeOverlay({ directory: realpathSync(tmpdir()) })) !== undefined;

let folder = "";
let kit: Kit | undefined;
const at = (name: string): string => path.join(folder, name);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-outside-")));
  mkdirSync(at("work"));
  mkdirSync(at("outside"));
});
afterEach(async () => {
  await kit?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: ToolkitOptions = {}): Promise<Kit> {
  kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "bypassPermissions",
    ...options,
  });
  return kit;
}

describe.skipIf(isMissing)("a command that may change any file", () => {
  test("is undone in the workspace and where it says that it writes outside of it", async () => {
    const opened = await open();
    writeFileSync(at("outside/file"), "old");
    const command = `echo new > ${at("outside/file")}; node -e 'fs.writeFileSync("made", "x")'`;

    const { undo } = await opened.call({ name: "Bash", input: { command } });
    expect(undo?.level).toBe("full");
    expect([readFileSync(at("outside/file"), "utf8"), existsSync(at("work/made"))]).toEqual([
      "new\n",
      true,
    ]);
    await opened.undo({ last: 1 });

    expect([readFileSync(at("outside/file"), "utf8"), existsSync(at("work/made"))]).toEqual([
      "old",
      false,
    ]);
  });

  test("that takes a file from outside runs straight, so that a no loses nothing", async () => {
    writeFileSync(at("outside/only"), "only");
    const opened = await open({
      sandbox: { overlay: "preview" },
      onAsk: async () => ({ kind: "deny" }),
    });
    const command = `mv ${at("outside/only")} here; node -e 0`;

    const { metadata } = await opened.call({ name: "Bash", input: { command } });

    expect(readFileSync(at("work/here"), "utf8")).toBe("only");
    expect(metadata["sandbox"]).toMatchObject({
      files: { overlay: "none", because: "It takes files from outside the workspace." },
    });
  });

  test("is not brought where a rule denies it, even if nothing was there that could be held", async () => {
    const opened = await open({ rules: { deny: ["Edit(*.lock)"] } });
    writeFileSync(at("work/make.sh"), "echo x > new.lock; echo x > fine");

    const outcome = await opened.call({ name: "Bash", input: { command: "sh make.sh" } });

    expect([existsSync(at("work/new.lock")), existsSync(at("work/fine"))]).toEqual([false, true]);
    expect(outcome.text).toContain(
      `${at("work/new.lock")} could not be written to the workspace: a rule keeps it as it is.`,
    );
    expect(outcome.undo?.level).toBe("partial");
  });

  test("works where the folder that is covered holds the data as well", async () => {
    const opened = await open({ additionalDirectories: [folder] });

    const outcome = await opened.call({ name: "Bash", input: { command: "node -e 0" } });

    expect(outcome.status).toBe("ok");
  });

  test("is not reported as fully undone where nothing kept it from other files", async () => {
    const opened = await open({ sandbox: { require: "off" } });
    writeFileSync(at("work/make.sh"), `echo x > ${at("outside/made")}; echo x > made`);

    const { undo, metadata } = await opened.call({
      name: "Bash",
      input: { command: "sh make.sh" },
    });

    expect(metadata["sandbox"]).toMatchObject({ provider: "none", files: { overlay: "undo" } });
    expect(existsSync(at("outside/made"))).toBe(true);
    expect(undo?.level).toBe("partial");
  });

  test("and ends after its call reports in its output that a change by others kept its own away", async () => {
    const opened = await open();
    writeFileSync(at("work/file"), "old");
    writeFileSync(
      at("work/late.sh"),
      `echo new > file; echo begun; until [ -e ${at("outside/go")} ]; do sleep 0.05; done`,
    );

    const { text } = await opened.call({
      name: "Bash",
      input: { command: "sh late.sh", timeout: 700 },
    });
    const [id = ""] = /\bsh-[\w-]+|\btask-[\w-]+/u.exec(text) ?? [];
    writeFileSync(at("work/file"), "theirs");
    writeFileSync(at("outside/go"), "");
    const output = await opened.call({ name: "TaskOutput", input: { task_id: id, block: true } });

    expect(readFileSync(at("work/file"), "utf8")).toBe("theirs");
    expect(output.text).toContain(
      `No change of the command was applied: ${at("work/file")} changed while it ran.`,
    );
  });
});
