import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { verbs } from "../../src/cli/verbs.ts";
import { modes } from "../../src/core/index.ts";
import { createToolkit, memoryHost, type Mode } from "../../src/index.ts";
import { secretPatterns } from "../../src/redact/patterns.ts";
import { compileRules } from "../../src/policy/index.ts";
import { layers } from "../architecture/layers.ts";
import { haft } from "../support/cli.ts";
import { codeWords, tableRows, textOf } from "./markdown.ts";

test("docs/cli.md has a row for every verb, and no other", () => {
  const named = tableRows("docs/cli.md").flatMap(([cell = ""]) => {
    const [word = ""] = codeWords(cell);
    return word.startsWith("haft ") ? [word.slice(5)] : [];
  });

  expect(named).toEqual(verbs.map(({ name }) => name));
});

test.each(verbs.map(({ name }) => name))(
  "docs/cli.md names every option that haft %s --help does",
  async (verb) => {
    const { out } = await haft([verb, "--help"]);
    const page = textOf("docs/cli.md");

    const options = [...out.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gmu)].map(
      ([, option = ""]) => option,
    );
    expect(options).toContain("--help");
    expect(options.filter((option) => !page.includes(`\`${option}`))).toEqual([]);
  },
);

test.each(["README.md", "docs/cli.md"])("%s lists every exit code, and no other", (page) => {
  const listed = tableRows(page).flatMap(([cell = ""]) =>
    /^\d+$/u.test(cell) ? [Number(cell)] : [],
  );

  expect(listed).toEqual(Object.values(exitCodes));
});

test("docs/architecture.md has a row for every layer", () => {
  const named = tableRows("docs/architecture.md").map(([cell = ""]) => cell);

  expect(Object.keys(layers).filter((name) => name !== "index" && !named.includes(name))).toEqual(
    [],
  );
});

test("docs/architecture.md names only files and directories that exist", () => {
  const paths = textOf("docs/architecture.md").match(/(?<=`)src\/[\w./-]+(?=`)/gu) ?? [];

  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((each) => !existsSync(each))).toEqual([]);
});

test("docs/tools.md names every form of secret that is hidden", () => {
  const text = textOf("docs/tools.md").replaceAll(/\s+/gu, " ");
  const names = secretPatterns.map(({ name }) => name);

  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

const probes = [
  { name: "Read", input: { file_path: "a.txt" } },
  { name: "Write", input: { file_path: "b.txt", content: "x" } },
  { name: "Bash", input: { command: "npm test" } },
  { name: "Read", input: { file_path: "/etc/hosts" } },
] as const;

const verdicts: Readonly<Record<string, string>> = {
  allow: "allowed",
  ask: "asked",
  deny: "denied",
};

test.each(modes)("docs/permissions.md says what %s mode does", async (mode: Mode) => {
  const host = memoryHost({ files: { "/project/a.txt": "one\n", "/etc/hosts": "" } });
  await using kit = await createToolkit({ host, workspace: "/project", mode });

  const cells = tableRows("docs/permissions.md").find(([cell]) => cell === `\`${mode}\``) ?? [];
  const decided = await Promise.all(
    probes.map(async (probe) => (await kit.explain(probe)).decision?.kind ?? "none"),
  );

  expect(cells.slice(1)).toEqual(
    decided.map((kind) => expect.stringContaining(verdicts[kind] ?? "nothing")),
  );
});

test("every rule docs/permissions.md gives as an example can be read", () => {
  const text = textOf("docs/permissions.md");
  const section = text.slice(text.indexOf("## Rules by example"), text.indexOf("## Where rules"));
  const shown = section.split("\n").flatMap((line) => codeWords(line.split("|")[1] ?? ""));

  const { problems } = compileRules([
    { scope: "option", list: "deny", rules: shown, base: "/p", cwd: "/p", home: "/home/user" },
  ]);
  expect(shown.length).toBeGreaterThan(10);
  expect(problems).toEqual([]);
});

test("docs/library.md has a row for every option of createToolkit, and no other", () => {
  const source = textOf("src/kit/options/options.ts");
  const start = source.indexOf("export interface ToolkitOptions");
  const declared = source.slice(start, source.indexOf("\n}\n", start));
  const options = [...declared.matchAll(/^ {2}readonly (\w+)\?/gmu)].map(([, name = ""]) => name);
  const page = textOf("docs/library.md");
  const section = page.slice(page.indexOf("## Options"), page.indexOf("## The kit"));
  const rows = [...section.matchAll(/^\| `(\w+)`/gmu)].map(([, name = ""]) => name);

  expect(rows.toSorted()).toEqual(options.toSorted());
});

test("docs/library.md names every event and every field of an outcome", () => {
  const page = textOf("docs/library.md");
  const events = [...textOf("src/core/call/events.ts").matchAll(/type: "([a-z-]+)"/gu)].map(
    ([, type = ""]) => type,
  );
  const source = textOf("src/core/call/outcome.ts");
  const outcome = source.slice(source.indexOf("export interface Outcome {"));
  const fields = [...outcome.matchAll(/^ {2}readonly (\w+)\??:/gmu)].map(([, name = ""]) => name);

  for (const word of [...events, ...fields]) expect(page).toContain(`\`${word}\``);
});
