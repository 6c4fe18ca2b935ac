import { expect, test } from "vitest";
import { testKit } from "../../test/support/kit.ts";

const files = {
  "half/HEAD": "ref: refs/heads/main",
  "bare/HEAD": "ref: refs/heads/main",
  "bare/objects/x": "",
  "bare/refs/x": "",
  "plain/config": "a = 1",
  "src/head/index.ts": "",
};

const write = (path: string) => ({ name: "Write", input: { file_path: path, content: "x" } });
const bash = (command: string) => ({ name: "Bash", input: { command } });

test.each([
  { call: write("new/HEAD"), because: "every git directory has a HEAD" },
  { call: write("new/head"), because: "file systems may not tell letter case" },
  { call: write("half/objects/x"), because: "half of one becomes a whole one" },
  { call: write("half/refs/heads/main"), because: "half of one becomes a whole one" },
  { call: write("half/commondir"), because: "it names the rest of one" },
  { call: write("half/config"), because: "its settings may be written first" },
  { call: write("bare/hooks/post-commit"), because: "git runs hooks" },
  { call: write("bare/config"), because: "git obeys the settings of a repository of any name" },
  { call: write("bare/info/attributes"), because: "attributes name filters" },
  { call: write("bare/rebase-merge/git-rebase-todo"), because: "its lines start programs" },
  { call: write("bare/gitdir"), because: "it names the rest of one" },
  { call: bash("mkdir half/objects half/refs"), because: "directories are parts, too" },
  { call: bash("cp plain/config bare/config"), because: "a copy writes as well" },
  { call: bash("cp -r plain/. bare"), because: "a copied tree has the part" },
  { call: bash("cp -r half new"), because: "a copied tree has a HEAD" },
  { call: bash("mv plain/config bare/"), because: "so does what is moved" },
])("what makes a directory a repository is asked about: $call.input", async ({ call }) => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files });

  const { decision } = await kit.explain(call);

  expect(decision?.kind).toBe("ask");
});

test.each([
  write("new/config"),
  write("plain/config"),
  write("plain/objects/x"),
  write("refs/notes.md"),
  write("src/hooks/use-it.ts"),
  write("half/notes.md"),
  bash("cp plain/config copy"),
  bash("cp -r src/. copy"),
  bash("mv src copy"),
])("what git does not take for its own is not: $input", async (call) => {
  const { kit } = await testKit({ mode: "acceptEdits" }, { files });

  const { decision } = await kit.explain(call);

  expect(decision?.kind).toBe("allow");
});
