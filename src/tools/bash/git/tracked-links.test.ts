import { expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { understand } from "../analyze-command.ts";

/** Index of version 2 with these names. */
function indexOf(names: readonly string[]): Uint8Array {
  const entries = names.map((name) => {
    const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    entry.writeUInt16BE(name.length, 60);
    entry.write(name, 62);
    return entry;
  });
  const head = Buffer.from("DIRC\0\0\0\u0002\0\0\0\0");
  head.writeUInt32BE(names.length, 8);
  return new Uint8Array(Buffer.concat([head, ...entries]));
}

async function readOutside(command: string, link: string): Promise<readonly string[]> {
  const host = memoryHost({
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/x": "",
      ".git/refs/x": "",
      ".git/index": indexOf(["a.txt", "dir/passwd", "src/deep/b.ts"]),
      "/out/passwd": "",
      "a.txt": "",
    },
  });
  host.control.plant(`/project/${link}`, { kind: "symlink", target: "/out" });
  const { effects } = await understand(command, { host, cwd: "/project", workspace: "/project" });
  return effects.flatMap((effect) =>
    effect.kind === "read" && effect.path.startsWith("/out") ? [effect.path] : [],
  );
}

test.each([
  "git grep x",
  "git -C . grep x",
  "git blame dir/passwd",
  'bash -c "git grep x"',
  "env git grep x",
  "for each in a b; do git grep $each; done",
])("%s reads where a tracked directory leads that is a link", async (command) => {
  expect(await readOutside(command, "dir")).toContain("/out");
});

test("also one above the file, and no link that is not tracked", async () => {
  expect(await readOutside("git grep x", "src/deep")).toEqual(["/out"]);
  expect(await readOutside("git grep x", "src")).toContain("/out");
  expect(await readOutside("git grep x", "other")).toEqual([]);
  expect(await readOutside("git status", "dir")).toEqual([]);
});

test("a directory that is a repository by its own files has tracked directories, too", async () => {
  const host = memoryHost({
    files: {
      "sub/HEAD": "ref: refs/heads/main\n",
      "sub/objects/x": "",
      "sub/refs/x": "",
      "sub/config": "[core]\nbare = false\nworktree = /project/sub\n",
      "sub/index": indexOf(["d/l/key"]),
      "sub/d/x": "",
      "/out/key": "",
    },
  });
  host.control.plant("/project/sub/d/l", { kind: "symlink", target: "/out" });
  const site = { host, cwd: "/project", workspace: "/project" };
  const { effects } = await understand("git -C sub grep -n .", site);

  expect(effects).toContainEqual(expect.objectContaining({ kind: "read", path: "/out" }));
});

test("a link that a setting names from the top is read below it, too", async () => {
  const host = memoryHost({
    files: {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/x": "",
      ".git/refs/x": "",
      ".git/config": "[blame]\nignoreRevsFile = ign\n",
      "sub/f": "",
      "/out/key": "",
    },
  });
  host.control.plant("/project/ign", { kind: "symlink", target: "/out/key" });
  const site = { host, cwd: "/project", workspace: "/project" };

  for (const command of ["cd sub && git blame f", "git -C sub blame f", "git blame sub/f"]) {
    const { effects } = await understand(command, site);
    expect(effects).toContainEqual(expect.objectContaining({ kind: "read", path: "/project/ign" }));
  }
});
