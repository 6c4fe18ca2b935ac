import { describe, expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { understand } from "../analyze-command.ts";

interface Touched {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly unknown: readonly string[];
}

const links: Readonly<Record<string, string>> = {
  "sub/near": "../b.txt",
  "sub/deep/far": "../../b.txt",
  "sub/deep/up": "..",
  "sub/deep/own": "a.txt",
  "abs/out": "/out/secret",
  "packages/a/node_modules/x": "../../x",
};

async function besides(command: string): Promise<Touched> {
  const files = {
    "/out/secret": "",
    "b.txt": "",
    "sub/deep/a.txt": "",
    "packages/a/index.ts": "",
    "packages/x/index.ts": "",
  };
  const host = memoryHost({ files });
  for (const [path, target] of Object.entries(links)) {
    host.control.plant(`/project/${path}`, { kind: "symlink", target });
  }
  const site = { host, cwd: "/project", workspace: "/project" };
  const { effects } = await understand(command, site);
  const pathsOf = (kind: "read" | "write"): readonly string[] =>
    effects.flatMap((effect) =>
      effect.kind === kind && !effect.path.startsWith("/project") ? [effect.path] : [],
    );
  const unknown = effects.flatMap((effect) => (effect.kind === "unknown" ? [effect.because] : []));
  return { reads: pathsOf("read"), writes: pathsOf("write"), unknown };
}

describe("a moved link leads from its new place to", () => {
  test.each([
    { command: "mv sub/near l && cat l", reads: ["/b.txt"], writes: [] },
    { command: "mv sub/near l && echo x > l", reads: ["/b.txt"], writes: ["/b.txt"] },
    { command: "mv sub/deep/far l; cat l", reads: ["/b.txt"], writes: [] },
    { command: "cp -P sub/near l && cat l", reads: ["/b.txt"], writes: [] },
    { command: "cp -d sub/near l; echo x >> l", reads: ["/b.txt"], writes: ["/b.txt"] },
    { command: "cp -a sub/deep d && cat d/far", reads: ["/b.txt"], writes: [] },
    { command: "cp -a abs d && cat d/out", reads: ["/out/secret"], writes: [] },
    { command: "mv abs d; echo x > d/out", reads: ["/out/secret"], writes: ["/out/secret"] },
    { command: "ln sub/near l; cat l", reads: ["/b.txt"], writes: [] },
    { command: "mv sub/n* . && cat near", reads: ["/b.txt"], writes: [] },
    { command: "mv sub/deep/up u; ls u/", reads: ["/"], writes: [] },
    { command: "mv sub/deep/* .; ls up/", reads: ["/b.txt", "/"], writes: [] },
    { command: "mv abs/out abs/x .", reads: [], writes: [] },
  ])("$command", async ({ command, reads, writes }) => {
    const found = await besides(command);

    expect(found.reads).toEqual(expect.arrayContaining([...reads]));
    expect(found.writes).toEqual([...writes]);
  });

  test.each([
    { command: "mv sub/near l", because: "nothing follows it" },
    { command: "mv sub/deep/own l && cat l", because: "it leads to a file of the workspace" },
    { command: "mv packages/a packages/b && ls", because: "it leads where it led" },
    { command: "cp -r sub/deep/a.txt c && cat c", because: "no link is among the files" },
    { command: "cp sub/near l && cat l", because: "the file is copied" },
  ])("nowhere else: $command, as $because", async ({ command }) => {
    expect(await besides(command)).toEqual({ reads: [], writes: [], unknown: [] });
  });
});

describe("a link that is moved after the command has put it in its place is unknown", () => {
  test.each([
    "mkdir -p a/b; ln -s ../b.txt a/b/l; mv a/b/l l; cat l",
    "mv sub/near sub/deep/near && mv sub/deep/near l && cat l",
    "cp -s b.txt l; mv l sub/l",
    "for f in a b; do mv sub/near $f; mv $f sub; done",
  ])("%s", async (command) => {
    expect((await besides(command)).unknown).toContain(
      "it moves a link that the command itself puts in its place",
    );
  });

  test.each(["mv b.txt c.txt; ln -s c.txt b.txt", "mv b.txt c.txt && mv c.txt d.txt"])(
    "and not: %s",
    async (command) => {
      expect((await besides(command)).unknown).toEqual([]);
    },
  );
});
