import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { createToolkit, type Kit } from "../kit/index.ts";
import { settingsFiles } from "../workspace/index.ts";
import { earlyToolkit, mayHide, servedServices } from "./lazy-toolkit.ts";
import { processTerminal } from "./terminal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "haft-early-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function terminal(): ReturnType<typeof processTerminal> {
  return { ...processTerminal(), cwd: folder, env: { HOME: path.join(folder, "home") } };
}

test.for(["default", "acceptEdits", "dontAsk", "bypassPermissions"] as const)(
  "the early list is the toolkit's own in %s mode",
  async (mode) => {
    const kit: Kit = await createToolkit({
      host: memoryHost(),
      mode,
      services: servedServices,
      sessions: "memory",
    });
    const early = earlyToolkit(() => Promise.reject(new Error("not yet")));

    const listed = await early.toolkit.definitions("mcp", { variants: true });
    const own = await kit.definitions("mcp", { variants: true });

    expect(early.toolkit.listings()).toEqual(kit.listings());
    expect(listed.tools).toMatchObject(
      own.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    expect(listed.tools).toHaveLength(own.tools.length);
    expect(mayHide({ mode }, terminal())).toBe(false);
    expect(early.opened()).toBeUndefined();
  },
);

test.for([{ mode: "plan" }, { deny: ["Bash"] }, { ask: ["Bash"] }])(
  "with %j only the toolkit knows its list",
  (values) => {
    expect(mayHide(values, terminal())).toBe(true);
  },
);

test("any settings file, of the workspace or the person, may hide a tool", () => {
  const home = path.join(folder, "home");
  for (const { path: file } of settingsFiles(folder, home)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "{}");
    expect(mayHide({}, terminal())).toBe(true);
    expect(mayHide({ workspace: "." }, terminal())).toBe(true);
    expect(mayHide({ "no-settings": true }, terminal())).toBe(false);
    rmSync(file);
    expect(mayHide({}, terminal())).toBe(false);
  }
});

test.for([".mcp.json", ".agents/skills", ".claude/commands", ".haft/plugins", ".haft/tools"])(
  "%s of the workspace or the user may add tools",
  (place) => {
    for (const base of [folder, path.join(folder, "home")]) {
      mkdirSync(path.join(base, place), { recursive: true });
      expect(mayHide({}, terminal())).toBe(true);
      rmSync(path.join(base, place), { recursive: true });
      expect(mayHide({}, terminal())).toBe(false);
    }
  },
);

test.for(["TAVILY_API_KEY", "HAFT_MODEL"])("the variable %s adds tools", (name) => {
  const env = { HOME: path.join(folder, "home"), [name]: "set" };

  expect(mayHide({ "no-settings": true }, { ...terminal(), env })).toBe(true);
  expect(mayHide({}, { ...terminal(), env: { ...env, [name]: "" } })).toBe(false);
});

test("the first call opens the toolkit once, and listeners hear it from then on", async () => {
  const kit = await createToolkit({ host: memoryHost({ files: { "a.txt": "one" } }) });
  let opens = 0;
  const early = earlyToolkit(() => {
    opens += 1;
    return Promise.resolve(kit);
  });
  const heard: string[] = [];
  early.toolkit.events.subscribe(({ type }) => heard.push(type));

  const read = { name: "Read", input: { file_path: "a.txt" } };
  const outcomes = await Promise.all([early.toolkit.call(read), early.toolkit.call(read)]);

  expect(outcomes.map(({ status }) => status)).toEqual(["ok", "ok"]);
  expect(opens).toBe(1);
  expect(heard).toContain("call-end");
});
