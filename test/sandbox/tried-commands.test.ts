import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

let folder = "";
let kit: Kit | undefined;
const at = (name: string): string => path.join(folder, name);
const home = process.env["HOME"];
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-tried-")));
  for (const name of ["work/node_modules/a", "outside", "home/.cache"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("work/node_modules/a/index.js"), "1");
  process.env["HOME"] = at("home");
});
afterEach(async () => {
  process.env["HOME"] = home;
  await kit?.dispose();
  await rm(folder, { recursive: true, force: true });
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
/** A command whose text says nothing of what it does. */
async function tried(text: string, options: ToolkitOptions = {}) {
  const opened = await open(options);
  writeFileSync(at("work/script.sh"), text);
  const { preview } = await opened.preview({ name: "Bash", input: { command: "sh script.sh" } });
  return preview;
}

const [bwrap] = drivers;
const isMissing =
  bwrap === undefined ||
  !(await probeDriver(bwrap)).works ||
  (await probeOverlay({ directory: await realpath(tmpdir()) })) !== undefined;

describe.skipIf(isMissing)("a command that is only tried", () => {
  test("shows what it would do to what is otherwise written through, and leaves that as it is", async () => {
    const preview = await tried("rm -rf node_modules/a; echo 2 > node_modules/b; echo x > made");

    expect(readFileSync(at("work/node_modules/a/index.js"), "utf8")).toBe("1");
    expect(existsSync(at("work/node_modules/b"))).toBe(false);
    expect(preview?.changes?.map(({ path: changed }) => changed)).toEqual([
      at("work/made"),
      at("work/node_modules/a"),
      at("work/node_modules/b"),
    ]);
  });

  test("reads the caches of the home folder and leaves them as they are", async () => {
    writeFileSync(at("home/.cache/known"), "known");

    const preview = await tried("cat $HOME/.cache/known; rm $HOME/.cache/known 2> /dev/null || :");

    expect(preview).toMatchObject({ content: "known", changes: [] });
    expect(readFileSync(at("home/.cache/known"), "utf8")).toBe("known");
  });

  test("is not let out by a rule that opens another folder", async () => {
    const allow = [`Edit(/${at("outside")}/**)`];

    await tried(`echo 2 > ${at("outside/made")}`, { rules: { allow } });

    expect(existsSync(at("outside/made"))).toBe(false);
  });

  test("leaves no word where commands that run do", async () => {
    mkdirSync(at("data/shell"), { recursive: true });
    mkdirSync(at("data/tasks/exits"), { recursive: true });

    await tried(`echo 2 > ${at("data/shell/made")}; echo 2 > ${at("data/tasks/exits/made")}`);

    expect(existsSync(at("data/shell/made"))).toBe(false);
    expect(existsSync(at("data/tasks/exits/made"))).toBe(false);
  });

  test("reaches no server, not even on this machine", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end("here");
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    writeFileSync(
      at("work/ask.mjs"),
      `console.log(await fetch("http://127.0.0.1:${port}").then(() => "yes", () => "no"));`,
    );

    const preview = await tried("node ask.mjs");
    server.close();

    expect(preview?.content).toBe("no");
    expect(requests).toBe(0);
  });
});
