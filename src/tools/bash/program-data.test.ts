import { expect, test } from "vitest";
import { memoryHost } from "../../testing/index.ts";
import { understand } from "./analyze-command.ts";

async function isListed(
  command: string,
  files: Readonly<Record<string, string>>,
  cwd = "/project",
): Promise<boolean> {
  const host = memoryHost({ files });
  const understood = await understand(command, { host, cwd, workspace: "/project" });
  return understood.isListed;
}

test.each([
  "cache=/out",
  "logs-dir = ../out",
  "prefix=/out",
  "userconfig=x",
  "globalconfig=x",
  "node-options=--require ./x.js",
  "script-shell=./x",
  "fund=false\ncache=x",
  "[section]",
  '"cache"=x',
])("npm is doubted where its settings have %j", async (text) => {
  expect(await isListed("npm -v", { ".npmrc": text })).toBe(false);
  expect(await isListed("npm -v", { ".npmrc": text, "sub/a": "" }, "/project/sub")).toBe(false);
  expect(await isListed("cd sub && npm --version", { "sub/.npmrc": text })).toBe(false);
});

test.each([
  "registry=https://registry.npmjs.org/\n; a comment\n# another\nsave-exact=true",
  "engine-strict=true\r\nfund=false\r\naudit=false\r\n",
  "@scope:registry=https://example.org/\n//example.org/:_authToken=x",
  "",
])("and not where they have %j", async (text) => {
  expect(await isListed("npm -v", { ".npmrc": text })).toBe(true);
});

test.each(["nm x.a", "size x.a", "objdump -a x.a", "readelf -s x.a", "nm *.a"])(
  "%s may open files anywhere, as a thin archive names them",
  async (command) => {
    expect(await isListed(command, { "x.a": "!<thin>\n//    " })).toBe(false);
    expect(await isListed(command, { "x.a": "!<arch>\nx  !<thin>\n" })).toBe(false);
  },
);

test("nm without a name reads a.out, and what the command wrote is unknown", async () => {
  expect(await isListed("nm", { "a.out": "!<thin>\n//    " })).toBe(false);
  expect(await isListed("cp b.a x.a; nm x.a", { "b.a": "!<thin>\n//    " })).toBe(false);
});

test.each(["nm x.o", "size x.a", "objdump -d x.o", "readelf -h x.o", "nm missing.o"])(
  "%s is listed where the files are no such archives",
  async (command) => {
    expect(await isListed(command, { "x.o": "\u007FELF", "x.a": "!<arch>\nx.o/   " })).toBe(true);
  },
);
