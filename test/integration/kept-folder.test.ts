import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { bash, kitFolder } from "../support/kit-folder.ts";

const { at, open } = kitFolder("haft-kept-folder-", async (place) => {
  await mkdir(place("work/sub/deep"), { recursive: true });
});

test("the folder a command ends in is where the next one is judged and run", async () => {
  const kit = await open({ mode: "default" });

  const moved = await bash(kit, "cd sub/deep");
  const next = await bash(kit, "pwd");
  const explained = await kit.explain({ name: "Bash", input: { command: "cat a.txt" } });
  const named = await bash(kit, "pwd", { cwd: "sub" });
  const other = await kit.call({ name: "Bash", input: { command: "pwd" } }, { sessionId: "x" });

  expect(moved.text).toBe("(No output. The next command starts in sub/deep.)");
  expect(next.text).toBe(at("work/sub/deep"));
  expect(explained.effects).toContainEqual(
    expect.objectContaining({ kind: "read", path: at("work/sub/deep/a.txt") }),
  );
  expect(named.text).toBe(at("work/sub"));
  expect(other.text).toBe(at("work"));
});

test("a folder outside is not kept, nor one that has become a link", async () => {
  const kit = await open();
  const outside = await bash(kit, "cd /; true");
  await bash(kit, "cd sub/deep");
  await rm(at("work/sub/deep"), { recursive: true });
  await symlink("/", at("work/sub/deep"));

  const after = await bash(kit, "pwd");

  expect(outside.text).toContain("outside the workspace; the next one starts in the workspace");
  expect(after.text).toBe(at("work"));
});

test("a command that ends outside leaves the folder where it began", async () => {
  const kit = await open();
  await bash(kit, "cd sub/deep; export KEPT=1");

  const outside = await bash(kit, "cd /; true");
  const after = await bash(kit, 'pwd; echo "${KEPT-not kept}"');

  expect(outside.text).toContain("outside the workspace; the next one starts in sub/deep again");
  expect(after.text).toBe(`${at("work/sub/deep")}\nnot kept`);
});

test("what looks where a command ended runs nothing of the command in a folder it was not judged for", async () => {
  await writeFile(at("key"), "private");
  const kit = await open({ mode: "default" });

  const asked = await bash(kit, "trap 'cat key' EXIT; cd ..");
  const run = await bash(kit, "command() { cat key; }; cd ..");

  expect(asked.error?.code).toBe("APPROVAL_REQUIRED");
  expect(run.text).toBe("(No output.)");
});

test("a yes for one directory does not apply to another", async () => {
  const asked: unknown[] = [];
  const kit = await open({
    mode: "default",
    onAsk: async ({ effects }) => {
      asked.push(effects.find(({ kind }) => kind === "read"));
      // While the person thinks, another command goes elsewhere.
      if (asked.length === 1) await bash(kit, "cd ..");
      return { kind: "once" };
    },
  });
  await bash(kit, "cd sub/deep");

  await bash(kit, "sh ./none.sh");

  expect(asked).toMatchObject([{ path: at("work/sub/deep") }, { path: at("work/sub") }]);
});

test("a file with which a command replaces its directory record is not shown", async () => {
  await writeFile(at("key"), "private");
  const kit = await open();

  const { text } = await bash(
    kit,
    `cd sub; at=$(trap -p EXIT | grep -o '/[^"]*shell[^"]*'); trap - EXIT; ln -s ${at("key")} "$at"; ls -l "$at"`,
  );

  expect(text).toContain(" -> ");
  expect(text).not.toContain("private");
});

test("nothing a program prints or leaves decides where the next command starts", async () => {
  const kit = await open();

  await bash(kit, "cd sub; printf '%s' /etc; bash -c 'cd deep'; (cd deep)");

  expect((await bash(kit, "pwd")).text).toBe(at("work/sub"));
  expect(await readdir(at("data/shell")).then((names) => names.length)).toBe(1);
});

test("a rule for a program holds in the workspace and in what was added to it, wherever a link leads", async () => {
  await mkdir(at("added"));
  await mkdir(at("other"));
  await symlink(at("other"), at("work/link"));
  const rules = { allow: ["Bash(node --eval 1)"] };
  const kit = await open({ mode: "default", rules, additionalDirectories: [at("added")] });

  const inside = await bash(kit, "cd sub/deep && node --eval 1");
  const added = await bash(kit, `cd ${at("added")} && node --eval 1`);
  const linked = await kit.explain({
    name: "Bash",
    input: { command: `cd ${at("work/link")} && node --eval 1` },
  });

  expect(inside.status).toBe("ok");
  expect(added.status).toBe("ok");
  expect(linked.decision).toMatchObject({
    kind: "ask",
    question: expect.stringContaining(`(outside the workspace: ${at("other")})`),
  });
  expect(linked.effects).toContainEqual(expect.objectContaining({ worksIn: [at("other")] }));
});
