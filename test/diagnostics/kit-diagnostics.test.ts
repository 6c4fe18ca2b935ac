import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kitFolder } from "../support/kit-folder.ts";
import { fakeServer } from "./checks-world.ts";

const folder = kitFolder(
  "diagnostics-",
  (at) => {
    mkdirSync(at("work"));
  },
  // Without trust, no server starts where there is no sandbox.
  { mode: "bypassPermissions", trust: true },
);

function settings(mode: string) {
  const fake = { command: [...fakeServer(mode)], files: ["*.txt"] };
  return { diagnostics: { servers: { fake } } };
}

function checker(name: string, program: string) {
  return { name, command: [program], files: ["*"] };
}

const renaming = {
  name: "LSP",
  input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "one", new_name: "two" },
};

test("Edit and Write show what is new below their answers, and put it into the metadata", async () => {
  writeFileSync(folder.at("work/a.txt"), "one\ntwo\n");
  const kit = await folder.open({ settings: settings("pull") });
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });
  // The first edit may find the server still starting.
  await kit.call({ name: "LSP", input: { operation: "diagnostics", file_path: "a.txt" } });

  const edit = { file_path: "a.txt", old_string: "two", new_string: "BAD two" };
  const edited = await kit.call({ name: "Edit", input: edit });
  const written = await kit.call({
    name: "Write",
    input: { file_path: "b.txt", content: "BAD\n" },
  });

  expect(edited.text).toContain("New since this edit:\n- a.txt:2:1 error E1: bad: BAD two (fake)");
  expect(edited.metadata["diagnostics"]).toMatchObject([{ line: 2, severity: "error" }]);
  expect(written.text).toContain("- b.txt:1:1 error E1: bad: BAD (fake)");
});

test("without the setting LSP is not offered, and edits say nothing", async () => {
  const kit = await folder.open();
  const names = kit.registry.getOffered().map(({ name }) => name);

  const written = await kit.call({
    name: "Write",
    input: { file_path: "b.txt", content: "BAD\n" },
  });

  expect(names).not.toContain("LSP");
  expect(written.metadata["diagnostics"]).toBeUndefined();
});

test("the settings of a workspace that is not trusted start no server", async () => {
  mkdirSync(folder.at("work/.haft"));
  writeFileSync(folder.at("work/.haft/settings.json"), JSON.stringify(settings("pull")));
  const kit = await folder.open({ settings: "load", trust: false });

  const written = await kit.call({
    name: "Write",
    input: { file_path: "b.txt", content: "BAD\n" },
  });

  expect(kit.registry.getOffered().map(({ name }) => name)).not.toContain("LSP");
  expect(written.text).not.toContain("New since");
});

test("LSP answers questions about a symbol", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\nBAD\n");
  const kit = await folder.open({ settings: settings("pull") });
  const at = { file_path: "a.txt", line: 1, symbol: "one" };
  const ask = async (operation: string): Promise<string> =>
    (await kit.call({ name: "LSP", input: { operation, ...at } })).text;

  expect(await ask("definition")).toBe("a.txt:1:7 const one = 1;");
  expect(await ask("hover")).toBe("const one: 1");
  expect(await ask("symbols")).toBe("a.txt:1:7 variable one");
  expect(await ask("diagnostics")).toBe("a.txt:2:1 error E1: bad: BAD");
});

test("a rename declares its writes, is previewed, and can be undone", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  const kit = await folder.open({ settings: settings("pull") });
  const call = {
    name: "LSP",
    input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "one", new_name: "two" },
  };

  const { effects } = await kit.explain(call);
  const previewed = await kit.preview(call);
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const one = 1;\n");
  const renamed = await kit.call(call);

  expect(effects.filter(({ kind }) => kind === "write")).toMatchObject([
    { path: folder.at("work/a.txt"), change: "modify" },
  ]);
  expect(JSON.stringify(previewed)).toContain("const two = 1;");
  expect(renamed.text).toBe("Renamed one to two at 1 place in 1 file.\na.txt: 1 place");
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const two = 1;\n");
  await kit.undo();
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const one = 1;\n");
});

test("the changes that are made are those that the user saw", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  const shown: (string | undefined)[] = [];
  const kit = await folder.open({
    settings: settings("fickle"),
    mode: "default",
    onAsk: async (ask) => {
      shown.push(ask.preview);
      return { kind: "once" };
    },
  });

  const { status } = await kit.call(renaming);
  const [, text] = /^\+(.*)$/mu.exec(shown[0]?.replace(/^\+\+\+.*$/mu, "") ?? "") ?? [];

  expect([status, shown.length]).toEqual(["ok", 1]);
  expect(text).toMatch(/^const two\d = 1;$/u);
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe(`${text}\n`);
});

test("nothing is renamed in a file that changed while the user was asked", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  const kit = await folder.open({
    settings: settings("pull"),
    mode: "default",
    onAsk: async () => {
      writeFileSync(folder.at("work/a.txt"), "const one = 2;\n");
      return { kind: "once" };
    },
  });

  const { error } = await kit.call(renaming);

  expect(error).toMatchObject({ code: "STALE_READ", message: expect.stringContaining("a.txt") });
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const one = 2;\n");
});

test("a rename that changes a file outside the workspace is not made without a yes", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  writeFileSync(folder.at("outside.txt"), "const one = 1;\n");
  const kit = await folder.open({
    settings: settings(`outside:${folder.at("outside.txt")}`),
    mode: "acceptEdits",
  });

  const outcome = await kit.call({
    name: "LSP",
    input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "one", new_name: "two" },
  });

  expect(outcome.status).toBe("denied");
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const one = 1;\n");
  expect(readFileSync(folder.at("outside.txt"), "utf8")).toBe("const one = 1;\n");
});

test("doctor names a server that failed", async () => {
  writeFileSync(folder.at("work/a.txt"), "one\n");
  const kit = await folder.open({ settings: settings("dies") });
  await kit.call({ name: "LSP", input: { operation: "diagnostics", file_path: "a.txt" } });

  const { checks } = await kit.doctor();

  expect(checks.find(({ name }) => name === "diagnostics")).toMatchObject({
    state: "warning",
    text: "server fake: The language server fake ended with exit code 7.",
  });
});

test("doctor says which programs of servers and checkers are not installed", async () => {
  const kit = await folder.open({
    settings: {
      diagnostics: {
        servers: { fake: settings("pull").diagnostics.servers.fake, gopls: { command: ["no-ls"] } },
        checkers: [checker("here", "true"), checker("lint", "./no lint"), checker("work", "./")],
      },
    },
  });

  const { checks } = await kit.doctor();

  const found = checks.filter(({ name }) => name === "diagnostics");
  expect(found.map(({ state, text, hint }) => [state, text, hint])).toEqual([
    ["ok", "server fake: installed, not started", undefined],
    [
      "warning",
      "server gopls: the program no-ls is not installed",
      "Install no-ls, or correct the setting diagnostics.servers for gopls.",
    ],
    ["ok", "checker here: installed", undefined],
    [
      "warning",
      "checker lint: the program ./no lint is not installed",
      "Install ./no lint, or correct the setting diagnostics.checkers for lint.",
    ],
    [
      "warning",
      "checker work: the program ./ is not installed",
      "Install ./, or correct the setting diagnostics.checkers for work.",
    ],
  ]);
});

test("a file that a rule excludes is not asked about, whatever is in it", async () => {
  writeFileSync(folder.at("work/secret.txt"), "const one = 1;\nBAD 1234\n");
  const kit = await folder.open({
    settings: settings("pull"),
    rules: { deny: ["Read(secret.txt)"] },
  });
  const ask = async (operation: string, symbol: string) => {
    const input = { operation, file_path: "secret.txt", line: 1, symbol, new_name: "two" };
    const { status, text } = await kit.call({ name: "LSP", input });
    return { status, text: text.replaceAll(symbol, "SYMBOL") };
  };

  const renamed = [await ask("rename", "one"), await ask("rename", "none")];
  const problems = await ask("diagnostics", "one");

  expect(renamed[0]?.status).toBe("denied");
  expect(renamed[1]).toEqual(renamed[0]);
  expect(problems.status).toBe("denied");
  expect(problems.text).not.toContain("1234");
});

test("a rename of a symbol that is not there says so, and asks nobody", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  const kit = await folder.open({ settings: settings("pull"), mode: "dontAsk" });

  const { error } = await kit.call({
    name: "LSP",
    input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "none", new_name: "two" },
  });

  expect(error?.code).toBe("NO_MATCH");
});

test("a file in which servers count lines differently is not renamed in", async () => {
  const text = 'const one = 1; const text = "a\u2028b";\n';
  writeFileSync(folder.at("work/a.txt"), text);
  const kit = await folder.open({ settings: settings("pull") });

  const { error } = await kit.call({
    name: "LSP",
    input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "one", new_name: "two" },
  });

  expect(error?.code).toBe("TOOL_FAILED");
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe(text);
});

test("a file that a server names twice, once by a link, is not renamed in", async () => {
  writeFileSync(folder.at("work/a.txt"), "const one = 1;\n");
  symlinkSync(folder.at("work/a.txt"), folder.at("work/link.txt"));
  const kit = await folder.open({ settings: settings(`outside:${folder.at("work/link.txt")}`) });

  const { error } = await kit.call({
    name: "LSP",
    input: { operation: "rename", file_path: "a.txt", line: 1, symbol: "one", new_name: "two" },
  });

  expect(error?.code).toBe("TOOL_FAILED");
  expect(readFileSync(folder.at("work/a.txt"), "utf8")).toBe("const one = 1;\n");
});

test("without a sandbox nothing starts in a workspace that is not trusted", async () => {
  writeFileSync(folder.at("work/a.txt"), "BAD\n");
  const kit = await folder.open({
    settings: settings("pull"),
    sandbox: { require: "off" },
    trust: false,
  });

  const call = { name: "LSP", input: { operation: "diagnostics", file_path: "a.txt" } };
  const { error } = await kit.call(call);

  expect(error).toMatchObject({ code: "UNAVAILABLE", hint: expect.stringContaining("trust add") });
});
