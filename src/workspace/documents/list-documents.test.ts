import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { listDocuments, listLinkedDocuments } from "./list-documents.ts";

const isMarkdown = (name: string): boolean => name.endsWith(".md");

test("files are found in every directory, sorted, and links are reported instead of followed", async () => {
  const host = memoryHost({
    files: { ".haft/commands/b.md": "", ".haft/commands/git/a.md": "", ".haft/commands/x.txt": "" },
  });
  host.control.plant(".haft/commands/z.md", { kind: "symlink", target: "/etc/passwd" });

  expect(await listDocuments("/project/.haft/commands", isMarkdown, host)).toEqual({
    files: [
      { path: "/project/.haft/commands/b.md", name: "b.md" },
      { path: "/project/.haft/commands/git/a.md", name: "git/a.md" },
    ],
    problems: [
      {
        path: "/project/.haft/commands/z.md",
        message: "This symlink is not read; put the file here.",
      },
    ],
  });
});

test("a directory that does not exist has no files", async () => {
  expect(await listDocuments("/project/.haft/commands", isMarkdown, memoryHost())).toEqual({
    files: [],
    problems: [],
  });
});

test("a limited number of files and levels is read, and the rest is reported", async () => {
  const files: Record<string, string> = {};
  for (let index = 0; index < 2003; index += 1) files[`c/${index}.md`] = "";
  files[`c/${"d/".repeat(10)}deep.md`] = "";
  const found = await listDocuments("/project/c", isMarkdown, memoryHost({ files }));

  expect(found.files).toHaveLength(2000);
  expect(found.problems.map(({ message }) => message).toSorted()).toEqual([
    "Directories below level 8 are not searched.",
    "Only the first 2000 files are read.",
  ]);
});

test("links in the directory itself are followed, and those further down are reported", async () => {
  const host = memoryHost({ files: { "s/in/a.md": "", "/far/b.md": "", "/deep/c.md": "" } });
  host.control.plant("s/out", { kind: "symlink", target: "/far" });
  host.control.plant("s/in/deep", { kind: "symlink", target: "/deep" });
  host.control.plant("/far/deep", { kind: "symlink", target: "/deep" });

  const { files, problems } = await listLinkedDocuments("/project/s", isMarkdown, host);

  expect(files.map(({ name }) => name)).toEqual(["in/a.md", "out/b.md"]);
  const message = "This symlink to the directory /deep is not followed; put it into /project/s.";
  expect(problems).toEqual([
    { path: "/project/s/in/deep", message },
    { path: "/far/deep", message },
  ]);
});
