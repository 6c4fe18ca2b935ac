import { expect, test } from "vitest";
import type { Effect } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { removedThrough } from "./predict-removals.ts";

const paths = ["/project/node_modules", "/project/venv", "/project/target", "/project/.next"];

function project() {
  return memoryHost({
    root: "/project",
    files: {
      "node_modules/a.js": "a",
      "venv/pyvenv.cfg": "v",
      "target/out": "o",
      "package.json": '{"scripts": {\n"clean:all": "rm -rf dist node_modules",\n"at": "venv/run"}}',
      "tools/clear.py": "shutil.rmtree('venv')",
      "tools/show.py": "print('venv')",
    },
  });
}

const span = { start: 0, end: 0 };
const removes = (path: string): Effect => ({
  kind: "write",
  path,
  scope: "tree",
  change: "delete",
});
const runs = (...argv: string[]): Effect => ({
  kind: "execute",
  argv,
  assigns: [],
  via: [],
  consequences: "open",
  span,
});

test.each<{ effects: readonly Effect[]; takes: readonly string[]; because: string }>([
  { effects: [removes("/project/venv")], takes: ["venv"], because: "it says so" },
  { effects: [removes("/project/.next")], takes: [], because: "nothing is there to be bound" },
  { effects: [removes("/project/venv/lib")], takes: [], because: "what is inside of it can go" },
  { effects: [removes("/project")], takes: [], because: "the rest of it can be kept apart" },
  {
    effects: [runs("mvn", "-q", "clean", "install")],
    takes: ["target"],
    because: "what was built is cleaned, and nothing that was installed",
  },
  {
    effects: [runs("npm", "run", "clean:all")],
    takes: ["node_modules", "target"],
    because: "its script says more",
  },
  { effects: [runs("git", "clean", "-fdx")], takes: [], because: "git works without it" },
  {
    effects: [runs("npm", "install", "-D", "rimraf", "clean-webpack-plugin")],
    takes: [],
    because: "packages have such names",
  },
  {
    effects: [runs("npx", "rimraf", "venv")],
    takes: ["venv", "target"],
    because: "the package is run",
  },
  { effects: [runs("npm", "ci")], takes: [], because: "it is emptied" },
  {
    effects: [runs("python3", "-c", "import shutil; shutil.rmtree('target')")],
    takes: ["target"],
    because: "its text says so",
  },
  {
    effects: [runs("node", "-e", "fs.rmSync('dist')", "target")],
    takes: [],
    because: "it takes another away",
  },
  { effects: [runs("python3", "tools/clear.py")], takes: ["venv"], because: "its script says so" },
  { effects: [runs("python3", "tools/show.py")], takes: [], because: "its script only names it" },
])("$effects removes $takes, because $because", async ({ effects, takes }) => {
  const host = project();

  const found = await removedThrough(effects, paths, { host, workspace: "/project" });

  expect(found).toEqual(takes.map((name) => `/project/${name}`));
});
