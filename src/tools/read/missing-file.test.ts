import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench } from "../../testing/index.ts";
import { read } from "./read.ts";

test.for([
  {
    because: "a letter is missing",
    wanted: "src/indx.ts",
    hint: "Did you mean src/index.ts?",
  },
  {
    because: "the ending is another",
    wanted: "src/index.js",
    hint: "Did you mean src/index.ts?",
  },
  { because: "the case is another", wanted: "readme.md", hint: "Did you mean README.md?" },
  {
    because: "a folder on the way is misspelt",
    wanted: "scr/index.ts",
    hint: "Did you mean src?",
  },
  {
    because: "the file has a curly apostrophe",
    wanted: "it's.txt",
    hint: "Did you mean it\u2019s.txt? It looks the same but has other characters; copy the name from here.",
  },
  {
    because: "the file has a narrow no-break space",
    wanted: "shot 10 PM.txt",
    hint: "Did you mean shot 10\u202FPM.txt? It looks the same but has other characters; copy the name from here.",
  },
  {
    because: "the file is decomposed",
    wanted: "caf\u00E9.txt",
    hint: "Did you mean cafe\u0301.txt? It looks the same but has other characters; copy the name from here.",
  },
  {
    because: "nothing is like it",
    wanted: "zzzzzz",
    hint: "Check the path; Glob finds files by name, ListDir shows a directory.",
  },
])("a missing file is answered with what may be meant: $because", async ({ wanted, hint }) => {
  const files = {
    "src/index.ts": "",
    "README.md": "",
    "it\u2019s.txt": "",
    "shot 10\u202FPM.txt": "",
    "cafe\u0301.txt": "",
  };

  await expect(callTool(read, { file_path: wanted }, { files })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("does not exist."),
    hint,
  });
});

test("a path below a file is an error that names the file", async () => {
  const files = { "src/index.ts": "" };

  await expect(
    callTool(read, { file_path: "src/index.ts/a/b.ts" }, { files }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "src/index.ts/a/b.ts does not exist: src/index.ts is not a directory.",
    hint: "Use src/index.ts itself, or another directory.",
  });
});

test("in a folder of thousands a name that looks the same is found, one that is just similar is not looked for", async () => {
  const names = Array.from({ length: 5001 }, (_, index) => `${String(index).padStart(5, "0")}.txt`);
  const files = Object.fromEntries(
    [...names, "zz\u2019.txt", "zzzq.txt"].map((name) => [name, ""]),
  );

  await expect(callTool(read, { file_path: "zz'.txt" }, { files })).rejects.toMatchObject({
    hint: expect.stringContaining("Did you mean zz\u2019.txt?"),
  });
  await expect(callTool(read, { file_path: "zzzz.txt" }, { files })).rejects.toMatchObject({
    hint: expect.not.stringContaining("zzzq"),
  });
});

test("the folder looked into for a suggestion is declared, and only inside the workspace", async () => {
  const bench = toolBench({ files: { "src/a.ts": "", "/etc/hosts": "" } });

  expect(await bench.effects(read, { file_path: "src/a.ts" })).toEqual([
    { kind: "read", path: "/project/src/a.ts", scope: "file" },
  ]);
  expect(await bench.effects(read, { file_path: "src/no/b.ts" })).toEqual([
    { kind: "read", path: "/project/src/no/b.ts", scope: "file" },
    { kind: "read", path: "/project", scope: "file" },
    { kind: "read", path: "/project/src", scope: "file" },
    { kind: "read", path: "/project/src/no", scope: "file" },
  ]);
  expect(await bench.effects(read, { file_path: "/etc/host" })).toEqual([
    { kind: "read", path: "/etc/host", scope: "file" },
  ]);
  await expect(bench.call(read, { file_path: "/etc/host" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "Check the path; Glob finds files by name.",
  });
});

test("withheld names are not suggested", async () => {
  const call = callTool(
    read,
    { file_path: "secre.txt" },
    { files: { "secret.txt": "" }, deny: ["secret.txt"] },
  );

  await expect(call).rejects.toMatchObject({ hint: expect.not.stringContaining("secret") });
});

test.each([
  ["broken", "broken leads to gone/file.txt, which does not exist."],
  ["/project/broken", "broken leads to gone/file.txt, which does not exist."],
  ["linked/no.ts", "linked/no.ts leads to src/no.ts, which does not exist."],
  ["./src/../no.ts", "no.ts does not exist."],
])("of the link %s the error says both names", async (file_path, message) => {
  const host = memoryHost({ files: { "src/a.ts": "x" } });
  host.control.plant("broken", { kind: "symlink", target: "gone/file.txt" });
  host.control.plant("linked", { kind: "symlink", target: "src" });

  await expect(callTool(read, { file_path }, { host })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringMatching(new RegExp(`^${message}`, "u")),
  });
});

test.each([
  ["file:///project/src/a%20b.ts", "/project/src/a b.ts"],
  ["file://localhost/project/x", "/project/x"],
])("for the URL %s the plain path is named", async (file_path, plain) => {
  await expect(callTool(read, { file_path }, { files: {} })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: `${file_path} is a URL, and no path.`,
    hint: `Pass the plain path: ${plain}`,
  });
});
