import { describe, expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { protectedMatch } from "../../text/index.ts";
import { defaultDataDirectory } from "../data-directory.ts";
import { acceptChange, recordTrust, reviewTrust } from "./change-trust.ts";
import { trustedConfiguration } from "./configuration.ts";
import type { TrustOptions } from "./record.ts";
import { isTrusted } from "./trust.ts";

async function trustNow(options: TrustOptions): Promise<void> {
  await recordTrust(options, (await reviewTrust(options)).files);
}

const workspace = "/project";
const dataDirectory = "/home/user/data";
const record = `${dataDirectory}/trust.json`;

function world(files: Readonly<Record<string, string>> = {}): MemoryHost {
  return memoryHost({ root: workspace, files });
}

async function write(host: MemoryHost, path: string, text: string): Promise<string> {
  return (await host.fs.writeAtomic(path, new TextEncoder().encode(text))).hash;
}

describe("trust", () => {
  test("covers only what no rule lets a tool write", () => {
    const unprotected = trustedConfiguration.filter(
      (name) => protectedMatch(`${workspace}/${name}`) === undefined,
    );

    expect(unprotected).toEqual([]);
  });

  test("is granted by a user only, and can be revoked", async () => {
    const options = { host: world({ ".haft/settings.json": "{}" }), workspace, dataDirectory };
    expect(await isTrusted(options)).toEqual({
      trusted: false,
      changed: [],
      brings: [".haft/settings.json"],
    });

    await trustNow(options);
    expect((await isTrusted(options)).trusted).toBe(true);

    await recordTrust(options, undefined);
    expect((await isTrusted(options)).trusted).toBe(false);
  });

  test("lists the files of a directory in the order of their names", async () => {
    const names = ["b", "a", "c"].map((name) => `.claude/agents/${name}.md`);
    const files = Object.fromEntries([...names, ".haft/settings.json"].map((name) => [name, "{}"]));
    const options = { host: world(files), workspace, dataDirectory };

    expect((await isTrusted(options)).brings).toEqual([
      ".haft/settings.json",
      ".claude/agents/a.md",
      ".claude/agents/b.md",
      ".claude/agents/c.md",
    ]);
  });

  test("of an approved change covers what was written, not what another program wrote after it", async () => {
    const host = world({ ".haft/settings.json": "{}" });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    const file = `${workspace}/.haft/tools/Count/run.mjs`;
    await host.fs.mkdir(`${workspace}/.haft/tools/Count`);
    const { hash } = await host.fs.writeAtomic(file, new TextEncoder().encode("approved"));
    await write(host, file, "swapped");

    await acceptChange(options, { path: file, hash });

    expect((await isTrusted(options)).trusted).toBe(false);
    await write(host, file, "approved");
    expect((await isTrusted(options)).trusted).toBe(true);
  });

  test.each([
    [".haft/settings.json", "{}"],
    [".haft/settings.local.json", "{}"],
    [".haft/hooks/check.sh", "x"],
    [".haft/skills/a/SKILL.md", "x"],
    [".claude/settings.json", "{}"],
    [".claude/commands/a.md", "x"],
    [".claude/agents/a.md", "x"],
    [".mcp.json", "{}"],
  ])("ends when %s comes, changes or goes", async (name, text) => {
    const host = world({ "src/a.ts": "" });
    const options = { host, workspace, dataDirectory };
    const path = `${workspace}/${name}`;
    await trustNow(options);

    await host.fs.mkdir(path.slice(0, path.lastIndexOf("/")));
    await write(host, path, text);
    expect(await isTrusted(options)).toEqual({ trusted: false, changed: [name], brings: [name] });

    await trustNow(options);
    expect((await isTrusted(options)).trusted).toBe(true);
    await write(host, path, `${text} `);
    expect(await isTrusted(options)).toMatchObject({ trusted: false, changed: [name] });

    await trustNow(options);
    await host.fs.remove(path);
    expect(await isTrusted(options)).toEqual({ trusted: false, changed: [name], brings: [] });
  });

  test("does not ask again for other files", async () => {
    const host = world({ "src/a.ts": "", ".claude/worktrees/x/a.ts": "" });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);

    await write(host, "/project/src/a.ts", "x");
    await write(host, "/project/.claude/worktrees/x/a.ts", "x");

    expect((await isTrusted(options)).trusted).toBe(true);
  });

  test("ends when a file in a linked directory of the workspace changes", async () => {
    const host = world({ "shared/agents/a.md": "x" });
    const links = { ".claude/agents": "../shared/agents", "shared/agents/circle": ".." };
    for (const [name, target] of Object.entries(links)) {
      host.control.plant(`${workspace}/${name}`, { kind: "symlink", target });
    }
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    expect((await isTrusted(options)).trusted).toBe(true);

    await write(host, `${workspace}/shared/agents/a.md`, "y");

    expect(await isTrusted(options)).toMatchObject({
      trusted: false,
      changed: ["shared/agents/a.md"],
    });
  });

  test("ends when what a link names changes", async () => {
    const host = world({ "/srv/settings.json": "{}" });
    const options = { host, workspace, dataDirectory };
    host.control.plant("/project/.haft/settings.json", {
      kind: "symlink",
      target: "/srv/settings.json",
    });
    await trustNow(options);

    await write(host, "/srv/settings.json", '{"a":1}');

    expect(await isTrusted(options)).toMatchObject({
      trusted: false,
      changed: ["/srv/settings.json"],
    });
  });

  test.each([
    [".haft/skills", "/srv/skills", "/srv/skills/a/SKILL.md"],
    [".claude/agents", "/srv", "/srv/b.md"],
    [".haft", "/srv", "/srv/commands/c.md"],
    [".claude", "shared", "shared/agents/d.md"],
  ])("covers what the link %s leads to, as %s: %s", async (name, target, file) => {
    const files = { [file]: "x", "/srv/settings.json": "{}", "shared/settings.json": "{}" };
    const host = world(files);
    host.control.plant(`${workspace}/${name}`, { kind: "symlink", target });
    const options = { host, workspace, dataDirectory };
    const { brings } = await isTrusted(options);
    expect(brings).toContain(name);
    expect(brings).toContain(file);
    await trustNow(options);
    expect((await isTrusted(options)).trusted).toBe(true);

    await write(host, file.startsWith("/") ? file : `${workspace}/${file}`, "y");

    expect(await isTrusted(options)).toMatchObject({ trusted: false, changed: [file] });
  });

  test("ends when a link leads elsewhere, whatever is there", async () => {
    const host = world({ "/srv/a/x.md": "x", "/srv/b/x.md": "x" });
    const options = { host, workspace, dataDirectory };
    host.control.plant("/project/.haft", { kind: "symlink", target: "/srv" });
    host.control.plant("/srv/agents", { kind: "symlink", target: "a" });
    await trustNow(options);

    host.control.plant("/srv/agents", { kind: "symlink", target: "b" });

    expect((await isTrusted(options)).trusted).toBe(false);
  });

  test("is not given to more files than can be compared", async () => {
    const many = Array.from({ length: 20_100 }, (_each, at) => [`/srv/${at}.md`, ""]);
    const host = world(Object.fromEntries(many));
    const options = { host, workspace, dataDirectory };
    host.control.plant("/project/.haft/agents", { kind: "symlink", target: "/srv" });

    await expect(trustNow(options)).rejects.toMatchObject({
      code: "TOO_LARGE",
      data: { path: "/srv" },
    });
    expect((await isTrusted(options)).trusted).toBe(false);
  });

  test("covers a script whose name every object has", async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "./__proto__" }] }] };
    const host = world({ ".haft/settings.json": JSON.stringify({ hooks }) });
    host.control.plant("/project/__proto__", { kind: "file", content: "#!/bin/sh", mode: 0o755 });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    expect((await isTrusted(options)).trusted).toBe(true);

    await write(host, "/project/__proto__", "#!/bin/sh\nevil");

    expect(await isTrusted(options)).toMatchObject({ trusted: false, changed: ["__proto__"] });
  });

  test("of one folder is nobody else's", async () => {
    const host = world();
    await trustNow({ host, workspace, dataDirectory });
    await trustNow({ host, workspace: "/other", dataDirectory });
    await recordTrust({ host, workspace: "/other", dataDirectory }, undefined);

    expect((await isTrusted({ host, workspace: "/other", dataDirectory })).trusted).toBe(false);
    expect((await isTrusted({ host, workspace: "/project/sub", dataDirectory })).trusted).toBe(
      false,
    );
    expect((await isTrusted({ host, workspace, dataDirectory })).trusted).toBe(true);
  });

  test.each([
    "nonsense",
    "[]",
    "{}",
    '{"version":2,"workspaces":{"/project":{"files":{},"at":1}}}',
    '{"version":1,"workspaces":[]}',
    '{"version":1,"workspaces":{"/project":true}}',
    '{"version":1,"workspaces":{"/project":{"files":{},"at":"x"}}}',
    '{"version":1,"workspaces":{"/project":{"files":{"a":1},"at":1}}}',
    '{"version":1,"workspaces":{"/project":{"at":1}}}',
  ])("a record %s grants no trust", async (text) => {
    const options = { host: world({ [record]: text }), workspace, dataDirectory };

    expect((await isTrusted(options)).trusted).toBe(false);
  });

  test.each([".mcp.json", record])("is not guessed where %s cannot be read", async (path) => {
    const host = world({ ".mcp.json": "{}" });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    host.control.fail({ path, operation: "readFile", fails: "EACCES" });

    await expect(isTrusted(options)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  test("of several workspaces is recorded by several writers at once", async () => {
    const host = world({ ".mcp.json": "{}" });
    const workspaces = ["/project", "/a", "/b", "/c"];

    await Promise.all(
      workspaces.map(async (each) => await trustNow({ host, workspace: each, dataDirectory })),
    );

    const recorded: { workspaces: object } = JSON.parse(host.control.texts()[record] ?? "");
    expect(Object.keys(recorded.workspaces).toSorted()).toEqual(workspaces.toSorted());
  });

  test("of several changes that the user approves at once covers all of them", async () => {
    const host = world({ ".haft/settings.json": "{}" });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    await host.fs.mkdir(`${workspace}/.haft/agents`);
    const files = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const file = `${workspace}/.haft/agents/${name}.md`;
        return { file, hash: await write(host, file, name) };
      }),
    );

    await Promise.all(
      files.map(async ({ file, hash }) => await acceptChange(options, { path: file, hash })),
    );

    expect(await isTrusted(options)).toMatchObject({ trusted: true, changed: [] });
  });

  test("is not granted by an approval that comes after it was revoked", async () => {
    const host = world({ ".haft/settings.json": "{}" });
    const options = { host, workspace, dataDirectory };
    await trustNow(options);
    await recordTrust(options, undefined);

    const file = `${workspace}/.haft/settings.json`;
    const { hash } = await host.fs.readFile(file);
    await acceptChange(options, { path: file, hash });

    expect((await isTrusted(options)).trusted).toBe(false);
  });

  test("is recorded with the time it was given", async () => {
    const host = world({ ".mcp.json": "{}" });
    await trustNow({ host, workspace, dataDirectory });

    expect(JSON.parse(host.control.texts()[record] ?? "")).toEqual({
      version: 1,
      workspaces: {
        "/project": {
          files: { ".mcp.json": expect.stringMatching(/^sha256:/u) },
          at: host.clock.now(),
        },
      },
    });
  });
});

describe("the folder for a workspace's records", () => {
  test("is named for people and never shared", () => {
    const one = defaultDataDirectory("/home/user", "/srv/my project");

    expect(one).toMatch(/^\/home\/user\/\.local\/share\/haft\/my-project-[0-9a-f]{16}$/u);
    expect(defaultDataDirectory("/home/user", "/opt/my project")).not.toBe(one);
    expect(defaultDataDirectory("/home/user", "/")).toMatch(/\/root-[0-9a-f]{16}$/u);
  });
});

test("what nobody trusts is named and not read", async () => {
  const host = world({ ".haft/settings.json": "{}", ".claude/skills/a/b": "x" });
  const options = { host, workspace, dataDirectory };
  for (const path of ["/project/.haft/settings.json", "/project/.claude/skills/a/b"]) {
    host.control.fail({ path, operation: "readFile", fails: "EIO" });
  }

  expect(await isTrusted(options)).toEqual({
    trusted: false,
    changed: [],
    brings: [".haft/settings.json", ".claude/skills/a/b"],
  });
});

test("what comes while a workspace is looked at is recorded only if it is named", async () => {
  const host = world({ ".haft/settings.json": "{}", ".haft/hooks/a.sh": "a" });
  let looks = 0;
  const fs = new Proxy(host.fs, {
    get(target, name) {
      if (name !== "stat") {
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === "function" ? found.bind(target) : found;
      }
      return async (path: string) => {
        // `.mcp.json` is the last file checked; act on the first check only.
        if (path.endsWith("/.mcp.json") && looks++ === 0) {
          await write(host, `${workspace}/.haft/hooks/b.sh`, "b");
        }
        return await target.stat(path);
      };
    },
  });
  const options = { host: { fs, clock: host.clock }, workspace, dataDirectory };
  const { brings, files } = await reviewTrust(options);
  expect([...files.keys()]).toEqual(brings);

  await recordTrust(options, files);
  expect(await isTrusted(options)).toMatchObject({
    trusted: false,
    changed: [".haft/hooks/b.sh"],
  });
});

test("links in a circle do not prevent reading or revoking trust", async () => {
  const host = world({ ".haft/settings.json": "{}" });
  const options = { host, workspace, dataDirectory };
  await trustNow(options);
  await host.fs.mkdir(`${workspace}/.haft/agents`);
  await host.fs.makeLink?.(`${workspace}/.haft/agents/loop`, "loop");

  expect(await reviewTrust(options)).toMatchObject({
    trusted: false,
    changed: [".haft/agents/loop"],
  });
  await recordTrust(options, undefined);
  expect(await isTrusted(options)).toMatchObject({ trusted: false, changed: [] });
});
