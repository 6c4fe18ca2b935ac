import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { gitNamedPaths } from "./git-named-paths.ts";

test("paths of git settings start at their file, at the repository or, with a tilde first, at the home", async () => {
  const config = `[include]
	path = more
	path = odd/~/more
	path = ~/shared
[core]
	hooksPath = hooks
`;
  const { fs } = memoryHost({
    root: "/ws",
    files: { ".git/config": config, ".git/HEAD": "ref: refs/heads/main\n" },
  });

  expect(await gitNamedPaths(fs, ["/ws"], "/ws/home")).toEqual([
    "/ws/.git/more",
    "/ws/.git/odd/~/more",
    "/ws/home/shared",
    "/ws/hooks",
  ]);
});
