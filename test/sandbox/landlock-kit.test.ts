import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processEntry } from "../../src/host/processes/process-scan.ts";
import { localHost, type LocalHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/index.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const landlock = drivers.find(({ name }) => name === "landlock");
const isMissing = landlock === undefined || !(await probeDriver(landlock)).works;

const at = temporaryFolder("landlock");
let host: LocalHost;
let kit: Awaited<ReturnType<typeof createToolkit>>;

beforeEach(async () => {
  for (const name of ["workspace", "data", "other"]) mkdirSync(at(name));
  host = await localHost();
  kit = await createToolkit({
    host,
    workspace: at("workspace"),
    dataDirectory: at("data"),
    mode: "bypassPermissions",
    sandbox: { driver: "landlock", overlay: "off" },
  });
});
afterEach(async () => {
  await kit[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

async function bash(command: string, more: object = {}) {
  return await kit.call({ name: "Bash", input: { command, ...more } });
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8");

test.skipIf(isMissing)(
  "commands of a toolkit share a helper, and what opens more has another",
  async () => {
    const first = await bash("sh -c 'echo $PPID; echo x > made'");
    const [helper = 0] = host.launching.confinedPids ?? [];
    expect(first.metadata).toMatchObject({ sandbox: { provider: "landlock" } });
    await bash("sh -c 'echo y >> made'");
    expect(host.launching.confinedPids).toEqual([helper]);
    expect(commandOf(helper)).toContain("spawn-helper");

    const refused = await bash(`node -e 'require("fs").writeFileSync("${at("other/file")}", "x")'`);
    expect(refused.text).toContain("EACCES");
    await bash(`cp made '${at("other/file")}'`);

    expect(readFileSync(at("other/file"), "utf8")).toBe("x\ny\n");
    expect(host.launching.confinedPids).toHaveLength(2);
    expect(host.launching.confinedPids).toContain(helper);
  },
);

test.skipIf(isMissing)(
  "a command runs on in the background, confined, takes input, and ends with the toolkit",
  async () => {
    const started = await bash("read word; echo got $word > taken; sleep 300", {
      run_in_background: true,
    });
    const [task] = await kit.tasks.list();
    const helpers = host.launching.confinedPids ?? [];

    expect(started.status).toBe("ok");
    await kit.call({ name: "TaskInput", input: { task_id: task?.id, text: "word\n" } });
    await expect.poll(taken).toBe("got word\n");
    await kit[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();

    // One that has ended and that nobody has asked about yet is gone.
    expect(helpers.filter((pid) => processEntry(pid) !== undefined)).toEqual([]);
  },
);

function taken(): string {
  return existsSync(at("workspace/taken")) ? readFileSync(at("workspace/taken"), "utf8") : "";
}
