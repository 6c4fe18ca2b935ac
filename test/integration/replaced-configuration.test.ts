import { describe, expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../src/host/index.ts";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import type { Host } from "../../src/core/index.ts";

async function trusted(files: Readonly<Record<string, string>>): Promise<MemoryHost> {
  const host = memoryHost({ files });
  await using kit = await createToolkit({ host, settings: "load" });
  await (await kit.workspace.trust()).accept();
  return host;
}

function bound(value: unknown, target: object): unknown {
  return typeof value === "function" ? value.bind(target) : value;
}

/** The host, with another function of its files. */
function withFile(
  host: MemoryHost,
  replaced: "readFile" | "writeAtomic",
  by: (...words: never[]) => Promise<unknown>,
): Host {
  const fs = new Proxy(host.fs, {
    get: (target, name) => (name === replaced ? by : bound(Reflect.get(target, name), target)),
  });
  return new Proxy(host, {
    get: (target, name) => (name === "fs" ? fs : bound(Reflect.get(target, name), target)),
  });
}

/** The host, with something done before the n-th read of a file. */
function beforeRead(
  host: MemoryHost,
  { path, at }: { readonly path: string; readonly at: number },
  act: () => Promise<unknown>,
): Host {
  let reads = 0;
  return withFile(host, "readFile", async (...words: Parameters<Host["fs"]["readFile"]>) => {
    if (words[0] === path && ++reads === at) await act();
    return await host.fs.readFile(...words);
  });
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const settings = (rules: readonly string[]): string =>
  JSON.stringify({ permissions: { allow: rules } });

const servers = (command: string): string => JSON.stringify({ mcpServers: { s: { command } } });

const skill = (text: string): string =>
  `---\nname: look\ndescription: Looks at something. Use it to look.\n---\n${text}\n`;

const cases: readonly {
  readonly file: string;
  readonly good: string;
  readonly bad: string;
  readonly counts: (kit: Kit) => Promise<boolean>;
}[] = [
  {
    file: ".haft/settings.json",
    good: settings([]),
    bad: settings(["Bash(rm *)"]),
    counts: async (kit) =>
      (await kit.explain({ name: "Bash", input: { command: "rm a.txt" } })).decision?.kind ===
      "allow",
  },
  {
    file: ".mcp.json",
    good: servers("good-server"),
    bad: servers("bad-server"),
    counts: async (kit) =>
      kit.mcp
        .list()
        .some(({ address, status }) => address === "bad-server" && status !== "needs-trust"),
  },
  {
    file: ".haft/skills/look/SKILL.md",
    good: skill("good"),
    bad: skill("bad"),
    counts: async (kit) =>
      (await kit.call({ name: "Skill", input: { skill: "look" } })).text.includes("bad"),
  },
];

describe.each(cases)("$file that is replaced while a kit opens", ({ file, good, bad, counts }) => {
  test.each([1, 2, 3])("before read %d does not count", async (at) => {
    const host = await trusted({ [file]: good });
    const path = `/project/${file}`;
    const swapped = beforeRead(host, { path, at }, async () => {
      await host.fs.writeAtomic(path, encode(bad));
    });

    await using kit = await createToolkit({ host: swapped, settings: "load" });

    expect(await counts(kit)).toBe(false);
  });
});

test("settings that are gone when they are read end trust", async () => {
  const path = "/project/.haft/settings.json";
  const deny = JSON.stringify({ permissions: { allow: ["Bash(rm *)"] } });
  const files = { ".haft/settings.json": deny, ".haft/settings.local.json": settings(["Bash"]) };
  const host = await trusted(files);
  const swapped = beforeRead(host, { path, at: 2 }, async () => await host.fs.remove(path));

  await using kit = await createToolkit({ host: swapped, settings: "load" });

  const { decision } = await kit.explain({ name: "Bash", input: { command: "make" } });
  expect(decision?.kind).toBe("ask");
});

test.each(["local", "project"] as const)(
  "a rule that is saved for %s covers what was saved, and not what another program wrote over it",
  async (scope) => {
    const host = await trusted({ ".haft/settings.json": "{}", "a.txt": "x" });
    const path = `/project/.haft/settings${scope === "local" ? ".local" : ""}.json`;
    const seen = withFile(
      host,
      "writeAtomic",
      async (...words: Parameters<Host["fs"]["writeAtomic"]>) => {
        const written = await host.fs.writeAtomic(...words);
        if (words[0] === path) await host.fs.writeAtomic(path, encode(settings(["Bash"])));
        return written;
      },
    );
    await using kit = await createToolkit({
      host: seen,
      settings: "load",
      onAsk: async () => ({ kind: "save", rule: "Edit(/b.txt)", scope }),
    });

    const { status, text } = await kit.call({
      name: "Write",
      input: { file_path: "b.txt", content: "y" },
    });

    expect([status, text]).toEqual(["ok", expect.any(String)]);
    expect(host.control.texts()[path]).toBe(settings(["Bash"]));
    await using later = await createToolkit({ host, settings: "load" });
    expect((await later.workspace.trust()).trusted).toBe(false);
  },
);

test("a rule that is saved in settings that were replaced does not make them trusted", async () => {
  const host = await trusted({ ".haft/settings.json": "{}", "a.txt": "x" });
  await using kit = await createToolkit({
    host,
    settings: "load",
    onAsk: async () => ({ kind: "save", rule: "Edit(/b.txt)", scope: "project" }),
  });
  await host.fs.writeAtomic("/project/.haft/settings.json", encode(settings(["Bash"])));

  const call = { name: "Write", input: { file_path: "b.txt", content: "y" } };
  expect((await kit.call(call)).status).toBe("ok");

  await using later = await createToolkit({ host, settings: "load" });
  expect((await later.workspace.trust()).trusted).toBe(false);
});
