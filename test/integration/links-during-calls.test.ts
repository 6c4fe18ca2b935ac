import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Call, type Outcome } from "../../src/index.ts";
import { localHost } from "../../src/host/index.ts";
import { stride } from "../support/law-runs.ts";

let folder = "";
const at = (name: string): string => path.join(folder, name);

const notebook = (text: string): string =>
  JSON.stringify({
    cells: [{ cell_type: "code", id: "one", source: [text], metadata: {}, outputs: [] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

function make(): void {
  for (const [name, text] of [
    ["work/in", "inner"],
    ["out", "SECRET"],
  ] as const) {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(`${name}/a.txt`), `${text}\n`);
    writeFileSync(at(`${name}/a.ipynb`), notebook(text));
    writeFileSync(at(`${name}/${text}.md`), "x\n");
  }
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-links-")));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Linking {
  /** Which operation of the host comes right after it. */
  readonly before: number;
  readonly link: () => void;
}

/** A host on which a link is made in the midst of a call. */
async function linkingHost({ before, link }: Linking) {
  const host = await localHost();
  let count = Number.NEGATIVE_INFINITY;
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...given: readonly unknown[]): unknown => {
          if (count === before) link();
          count += 1;
          return Reflect.apply(value, target, given);
        };
      },
    });
  const fs = counted(host.fs);
  const search = counted(host.search);
  return {
    host: new Proxy(host, {
      get(_target, key) {
        if (key === "fs") return fs;
        if (key === "search") return search;
        const value: unknown = Reflect.get(host, key);
        return typeof value === "function" ? value.bind(host) : value;
      },
    }),
    begin: () => void (count = 0),
    isLinked: () => count > before,
  };
}

async function called(
  call: Call,
  linking: Linking,
): Promise<{ readonly outcome: Outcome; readonly isLinked: boolean }> {
  const { host, begin, isLinked } = await linkingHost(linking);
  const kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "acceptEdits",
    host,
  });
  try {
    for (const name of ["in/a.txt", "in/a.ipynb"]) {
      await kit.call({ name: "Read", input: { file_path: name } });
    }
    begin();
    const outcome = await kit.call(call);
    return { outcome, isLinked: isLinked() };
  } finally {
    await kit.dispose();
    await host[Symbol.asyncDispose]();
  }
}

const calls: readonly Call[] = [
  { name: "Read", input: { file_path: "in/a.txt" } },
  { name: "Read", input: { file_path: "in" } },
  { name: "Edit", input: { file_path: "in/a.txt", old_string: "inner", new_string: "new" } },
  { name: "Edit", input: { file_path: "in/a.txt", old_string: "SECRET", new_string: "new" } },
  { name: "Write", input: { file_path: "in/a.txt", content: "new\n", overwrite: true } },
  { name: "Write", input: { file_path: "in/new.txt", content: "new\n" } },
  { name: "Write", input: { file_path: "in/deep/er/new.txt", content: "new\n" } },
  { name: "Glob", input: { pattern: "*", path: "in" } },
  { name: "Grep", input: { pattern: "SECRET", path: "in" } },
  { name: "Grep", input: { pattern: "SECRET", path: "in/a.txt" } },
  { name: "ListDir", input: { path: "in" } },
  {
    name: "ApplyPatch",
    input: {
      patch:
        "*** Begin Patch\n*** Update File: in/a.txt\n@@\n-SECRET\n+new\n*** Add File: in/new.txt\n+new\n*** End Patch\n",
    },
  },
  {
    name: "ApplyPatch",
    input: { patch: "*** Begin Patch\n*** Delete File: in/a.txt\n*** End Patch\n" },
  },
  {
    name: "NotebookEdit",
    input: { notebook_path: "in/a.ipynb", cell_id: "one", new_source: "new" },
  },
];

const outside = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(at("out"), { recursive: true, encoding: "utf8" }).map((name) => [
      name,
      lstatSync(at(`out/${name}`)).isFile() ? readFileSync(at(`out/${name}`), "utf8") : "",
    ]),
  );

const links: Record<string, () => void> = {
  "a link instead of the folder": () => {
    renameSync(at("work/in"), at("work/was"));
    symlinkSync(at("out"), at("work/in"));
  },
  "links instead of the files": () => {
    for (const name of ["a.txt", "a.ipynb", "new.txt", "deep"]) {
      rmSync(at(`work/in/${name}`), { force: true, recursive: true });
      symlinkSync(at(`out/${name}`), at(`work/in/${name}`));
    }
  },
};

describe.each(Object.entries(links))("%s at any point of a call", (_name, link) => {
  test.each(calls)("leads %j nowhere", async (call) => {
    make();
    const before = outside();
    let isDone = false;
    for (let count = 0; !isDone; count += stride) {
      rmSync(folder, { recursive: true });
      make();

      const { outcome, isLinked } = await called(call, { before: count, link });
      isDone = !isLinked;

      expect(outside()).toEqual(before);
      expect(
        outcome.text.replaceAll(/SECRET in (?:text files in )?in|"SECRET"/gu, ""),
      ).not.toContain("SECRET");
      expect(isLinked || count > 2).toBe(true);
    }
  });
});
