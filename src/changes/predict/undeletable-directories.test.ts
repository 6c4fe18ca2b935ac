import { expect, test } from "vitest";
import type { EndedProgram } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { keptInPlace } from "./undeletable-directories.ts";

const paths = ["/project/node_modules", "/project/venv", "/project/target", "/project/.next"];
const files = { "node_modules/a.js": "a", "venv/pyvenv.cfg": "v", "target/out": "o" };
const project = () => memoryHost({ root: "/project", files });

const failed = (stderr: string, code = 1): EndedProgram => ({
  code,
  signal: null,
  stderr,
  cwd: "/project",
});

test.each([
  {
    stderr: "rm: cannot remove 'node_modules': Device or resource busy",
    told: ["node_modules"],
    because: "rm says so",
  },
  {
    stderr: "Error: EBUSY: resource busy or locked, rmdir '/project/node_modules'",
    told: ["node_modules"],
    because: "Node says so",
  },
  {
    stderr: "OSError: [Errno 16] Device or resource busy: 'venv'",
    told: ["venv"],
    because: "Python says so",
  },
  {
    stderr: "error: failed to remove directory `/project/target`: (os error 16)",
    told: ["target"],
    because: "Rust says so",
  },
  { stderr: "umount: /mnt: target is busy", told: [], because: "it is about something else" },
  { stderr: "rm: cannot remove 'x': Device or resource busy\nvenv", told: [], because: "it is x" },
])("$stderr is explained for $told, because $because", async ({ stderr, told }) => {
  const since = Date.now() + 60_000;

  const notes = await keptInPlace([failed(stderr)], paths, { host: project(), since });

  expect(notes).toHaveLength(told.length);
  for (const [index, name] of told.entries()) expect(notes[index]).toContain(`/project/${name} `);
});

test("a folder that a failed program has emptied is explained, whatever it printed", async () => {
  const host = project();
  const since = (await host.fs.stat("/project/venv")).mtimeMs;
  await host.fs.remove("/project/venv/pyvenv.cfg");

  const explained = (ended: EndedProgram, at = since) =>
    keptInPlace([ended], paths, { host, since: at });

  expect(await explained(failed(""))).toEqual([expect.stringContaining("rm -rf venv")]);
  expect(await explained(failed("", 0))).toEqual([]);
  expect(await explained(failed(""), Date.now() + 60_000)).toEqual([]);
});

test("of two programs that failed one has to say so", async () => {
  const ended = [failed("rm: cannot remove 'venv': Device or resource busy"), failed("Stopped.")];
  const since = Date.now() + 60_000;

  expect(await keptInPlace(ended, paths, { host: project(), since })).toHaveLength(1);
});
