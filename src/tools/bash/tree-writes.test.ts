import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { understand } from "./analyze-command.ts";

const files = {
  "/project/plain/a.ts": "",
  "/project/held/pkg/.vscode/tasks.json": "",
  "/project/top/lefthook.yml": "",
  "/project/part/workflows/ci.yml": "",
  "/project/.npmrc.gz": "",
};

test.each([
  ["cp -r held/. .", ["/project/pkg/.vscode"], "a copied tree holds one"],
  ["mv top/* .", ["/project/lefthook.yml"], "one of the moved files"],
  ["cp top/lefthook.yml plain", ["/project/plain/lefthook.yml"], "a file keeps its name"],
  ["cp -r part/workflows .github", ["/project/.github/workflows"], "both names together"],
  ["gunzip .npmrc.gz", ["/project/.npmrc"], "the name without its end"],
  ["cp -r plain other", [], "nothing in it is protected"],
  ["find plain -delete", [], "it only removes"],
])("%s writes %j, because %s", async (command, paths) => {
  const host = memoryHost({ files });

  const { effects, isListed } = await understand(command, {
    host,
    cwd: "/project",
    workspace: "/project",
  });

  const written = effects.flatMap((each) =>
    each.kind === "write" && each.scope === "file" ? [each.path] : [],
  );
  expect(written.filter((each) => paths.includes(each))).toEqual(paths);
  expect(written.length > 0).toBe(paths.length > 0);
  expect(isListed).toBe(true);
});

test("an archive may hold anything", async () => {
  const host = memoryHost({ files: { "/project/x.zip": "" } });

  const { effects, isListed } = await understand("unzip x.zip", {
    host,
    cwd: "/project",
    workspace: "/project",
  });

  expect(isListed).toBe(false);
  expect(effects).toContainEqual(expect.objectContaining({ kind: "unknown", origin: "unzip" }));
});
