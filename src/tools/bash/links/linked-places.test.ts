import { expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { understand } from "../analyze-command.ts";

async function placesOf(command: string): Promise<readonly string[] | "unknown"> {
  const host = memoryHost({ files: { "/out/x.js": "", "src/a.js": "", "sub/a.js": "" } });
  host.control.plant("/project/link", { kind: "symlink", target: "/out" });
  host.control.plant("/project/near", { kind: "symlink", target: "src" });
  host.control.plant("/project/sub/deep", { kind: "symlink", target: "/out" });
  const { effects } = await understand(command, { host, cwd: "/project", workspace: "/project" });
  const run = effects.find((effect) => effect.kind === "execute" && effect.via.length === 0);
  return run?.kind === "execute" ? (run.worksIn ?? []) : [];
}

test.each([
  { command: "node link/x.js", places: ["/out/x.js"], because: "the word leads out" },
  { command: "pytest link", places: ["/out"], because: "without a slash as well" },
  { command: "npm --prefix=link test", places: ["/out"], because: "behind an option" },
  { command: "make -Clink", places: ["/out"], because: "attached to an option" },
  { command: "make -C sub -f deep/m", places: ["/out/m"], because: "from where an option leads" },
  { command: "./link/x.js", places: ["/out/x.js"], because: "as the program itself" },
  { command: "tsc @link/x", places: ["/out/x"], because: "behind a sign" },
  { command: "node near/a.js", places: [], because: "it stays inside" },
  { command: "node src/a.js", places: [], because: "no link is in it" },
  { command: "cat link/x.js", places: [], because: "what it reads is listed" },
])("$command works in $places: $because", async ({ command, places }) => {
  expect(await placesOf(command)).toEqual(places);
});

test("among more words than are looked at it is not known where a program works", async () => {
  expect(await placesOf(`node ${"a ".repeat(511)}`)).toEqual([]);
  expect(await placesOf(`node ${"a ".repeat(512)}`)).toBe("unknown");
});
