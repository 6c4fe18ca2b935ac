import { describe, expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { createToolkit, type ToolkitOptions } from "./index.ts";
import { testKit } from "../../test/support/kit.ts";

// Paths arrive canonical, so a rule whose path leads through a link would match none of them by itself.

const read = (file_path: string) => ({ name: "Read", input: { file_path } });

const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "x" } });

async function world(options: ToolkitOptions = {}) {
  const made = await testKit(options, {
    files: { "real/a.txt": "a", "real/deep/b.md": "b", "other/c.txt": "c", "plain.txt": "p" },
  });
  made.host.control.plant("/project/alias", { kind: "symlink", target: "/project/real" });
  made.host.control.plant("/project/one", { kind: "symlink", target: "real/a.txt" });
  return made;
}

describe("a deny rule written through a link", () => {
  test.each([
    ["Read(alias/**)", "real/a.txt"],
    ["Read(alias/**)", "alias/a.txt"],
    ["Read(alias/**)", "real/deep/b.md"],
    ["Read(./alias/*.txt)", "real/a.txt"],
    ["Read(/alias/deep/b.md)", "real/deep/b.md"],
    ["Read(//project/alias/**/*.md)", "real/deep/b.md"],
    ["Read(alias)", "real/a.txt"],
    ["Read(one)", "real/a.txt"],
    ["Read(./one)", "real/a.txt"],
  ])("%s keeps %s from being read", async (rule, path) => {
    const { kit } = await world({ rules: { deny: [rule] }, mode: "bypassPermissions" });

    expect((await kit.call(read(path))).status).toBe("denied");
    expect((await kit.call(read("plain.txt"))).status).toBe("ok");
    expect((await kit.call(read("other/c.txt"))).status).toBe("ok");
  });

  test.each([
    ["Read(./alias/*.txt)", "real/deep/b.md"],
    ["Read(./one)", "real/deep/b.md"],
    ["Read(./alias/deep/**)", "real/a.txt"],
  ])("%s leaves %s alone", async (rule, path) => {
    const { kit } = await world({ rules: { deny: [rule] } });

    expect((await kit.call(read(path))).status).toBe("ok");
  });

  test("is a deny for writing too, and an ask rule asks", async () => {
    const { kit } = await world({
      rules: { deny: ["Read(alias/deep/**)"], ask: ["Edit(alias/**)"] },
      mode: "bypassPermissions",
    });

    expect((await kit.call(write("real/deep/new.md"))).error?.code).toBe("PERMISSION_DENIED");
    expect((await kit.call(write("real/new.txt"))).error?.code).toBe("APPROVAL_REQUIRED");
  });

  test("is what a search leaves out and counts", async () => {
    const { kit } = await world({ rules: { deny: ["Read(alias/*.txt)", "Read(alias/deep)"] } });

    const { text } = await kit.call({ name: "Glob", input: { pattern: "**/*" } });

    expect(text).toContain("other/c.txt");
    expect(text).not.toContain("a.txt");
    expect(text).not.toContain("b.md");
  });

  test("holds for a child, and for calls made together", async () => {
    const { kit } = await world({ rules: { deny: ["Read(alias/**)"] } });

    const together = await Promise.all([
      kit.derive({ mode: "bypassPermissions" }).call(read("real/a.txt")),
      kit.call(read("real/a.txt"), { inOrder: true }),
      kit.call(read("real/a.txt")),
      kit.explain(read("real/a.txt")).then(({ decision }) => ({ status: decision?.kind })),
    ]);

    expect(together.map(({ status }) => status)).toEqual(["denied", "denied", "denied", "deny"]);
  });
});

describe("links and rules that come later", () => {
  test("a link made while the kit lives counts from two seconds on", async () => {
    const { kit, host } = await world({ rules: { deny: ["Read(later/**)"] } });
    expect((await kit.call(read("real/a.txt"))).status).toBe("ok");

    host.control.plant("/project/later", { kind: "symlink", target: "/project/real" });
    host.control.advance(2000);

    expect((await kit.call(read("real/a.txt"))).status).toBe("denied");
  });

  test("a link that is moved protects both places", async () => {
    const { kit, host } = await world({ rules: { deny: ["Read(alias/**)"] } });
    await kit.call(read("plain.txt"));

    host.control.plant("/project/alias", { kind: "symlink", target: "/project/other" });
    host.control.advance(2000);

    expect((await kit.call(read("other/c.txt"))).status).toBe("denied");
    expect((await kit.call(read("real/a.txt"))).status).toBe("denied");
  });

  test("a rule that is added counts at once", async () => {
    const { kit } = await world({ settings: "load" });
    expect((await kit.call(read("real/a.txt"))).status).toBe("ok");

    await kit.permissions.add({ rule: "Read(alias/**)", list: "deny", scope: "user" });

    expect((await kit.call(read("real/a.txt"))).status).toBe("denied");
  });
});

test("an allow rule written through a link allows nothing that the link leads to", async () => {
  const { kit, host } = await testKit(
    { rules: { allow: ["Read(./out/**)", "Edit(./out/**)"] } },
    { files: { "/outside/a.txt": "a" } },
  );
  host.control.plant("/project/out", { kind: "symlink", target: "/outside" });

  expect((await kit.call(write("out/b.txt"))).status).toBe("denied");
  expect((await kit.call(read("out/a.txt"))).status).toBe("denied");
});

test("a path that cannot be followed harms nothing", async () => {
  const { kit, host } = await world({ rules: { deny: ["Read(alias/**)"] } });
  host.control.fail({ operation: "canonical", path: "alias", fails: "EACCES" });

  expect((await kit.call(read("plain.txt"))).status).toBe("ok");
});

describe("what a link or a setting of git leads to is protected under its own name", () => {
  test.each([
    ["tools/hooks/pre-commit", "the directory of hooks that the settings of the user name"],
    ["conf/b", "a file that an included file of settings includes"],
    ["real/husky/pre-commit", "the directory that a link with a protected name leads to"],
  ])("%s: %s", async (path) => {
    const host = memoryHost({
      files: {
        ".git/config": "[include]\n\tpath = ../conf/a\n",
        "conf/a": "[include]\n\tpath = b\n",
        "real/husky/a": "a",
      },
    });
    host.control.plant("/project/.husky", { kind: "symlink", target: "real/husky" });
    const { home } = host.info;
    const settings = new TextEncoder().encode("[core]\n\thooksPath = tools/hooks\n");
    await host.fs.mkdir(home);
    await host.fs.writeAtomic(`${home}/.gitconfig`, settings);
    const kit = await createToolkit({ host, mode: "acceptEdits" });

    expect((await kit.call(write(path))).status).toBe("denied");
    expect((await kit.call(write("conf/other"))).status).toBe("ok");
  });
});

describe("an allow rule for a program", () => {
  test.each([
    ["git init away", "ask"],
    ["git init away/new", "ask"],
    ["git clone https://example.com/r.git away/new", "ask"],
    ["git clone away new", "ask"],
    ["git worktree add away/new", "ask"],
    ["git pull away main", "ask"],
    ["git init alias/new", "allow"],
    ["git clone https://example.com/r.git new", "allow"],
    ["git worktree add alias/new", "allow"],
    ["git push origin main", "allow"],
  ])("Bash(git *) on %s, where away leads out of the workspace: %s", async (command, kind) => {
    const { kit, host } = await world({ rules: { allow: ["Bash(git *)"] } });
    host.control.plant("/elsewhere", { kind: "directory" });
    host.control.plant("/project/away", { kind: "symlink", target: "/elsewhere" });

    const { decision } = await kit.explain({ name: "Bash", input: { command } });

    expect(decision?.kind).toBe(kind);
  });
});
