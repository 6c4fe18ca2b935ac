import { expect, test } from "vitest";
import type { Effect } from "../core/index.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";

const files = { "a.txt": "one\n", "secrets/key.txt": "hidden\n" };
const deny = ["Read(secrets/**)"];
const change: Effect = { kind: "write", path: ".", scope: "tree", change: "any" };

const ways: Readonly<Record<string, readonly Effect[] | undefined>> = {
  "may change the folder": [change],
  "may do anything": undefined,
};

test.each(Object.entries(ways))(
  "what may not be read is withheld from a tool that %s",
  async (_name, effects) => {
    const tool = simpleTool(
      "Look",
      async (_input, { host }) => {
        const names: string[] = [];
        for await (const { name } of host.fs.list(".")) names.push(name);
        const found: string[] = [];
        for await (const event of host.search.grep({ root: ".", pattern: "hidden|one" })) {
          if (event.kind === "match") found.push(event.path);
        }
        const read = await host.fs.readFile("secrets/key.txt").then(
          () => "read",
          () => "refused",
        );
        return { content: JSON.stringify({ names, found, read }) };
      },
      effects === undefined
        ? { touches: ["unknown"] }
        : { touches: ["write"], effects: () => effects },
    );
    const { kit } = await testKit(
      { mode: "bypassPermissions", rules: { deny }, tools: { extra: [tool] } },
      { files },
    );

    const { text } = await kit.call({ name: "Look" });

    expect(JSON.parse(text)).toEqual({
      names: ["a.txt", "secrets"],
      found: ["/project/a.txt"],
      read: "refused",
    });
  },
);

test("what may not be changed may still be read where reading is declared", async () => {
  const tool = simpleTool(
    "Look",
    async (_input, { host }) => ({
      content: new TextDecoder().decode((await host.fs.readFile("secrets/key.txt")).bytes),
    }),
    {
      touches: ["read", "write"],
      effects: () => [change, { kind: "read", path: ".", scope: "tree" }],
    },
  );
  const { kit } = await testKit(
    { mode: "acceptEdits", rules: { deny: ["Edit(secrets/**)"] }, tools: { extra: [tool] } },
    { files },
  );

  expect((await kit.call({ name: "Look" })).text).toBe("hidden\n");
});

test("a bare deny of reading holds for a tool that can run arbitrary code", async () => {
  const tool = simpleTool(
    "Look",
    async (_input, { host }) => {
      await host.fs.readFile("a.txt");
      return { content: "read" };
    },
    { touches: ["unknown"] },
  );
  const { kit } = await testKit(
    { mode: "bypassPermissions", rules: { deny: ["Read"] }, tools: { extra: [tool] } },
    { files },
  );

  expect((await kit.call({ name: "Look" })).error).toMatchObject({ code: "PERMISSION_DENIED" });
});

test("what is refused has no preview", async () => {
  let previews = 0;
  const tool = simpleTool("Change", () => ({ content: "" }), {
    touches: ["write"],
    effects: () => [{ kind: "write", path: "secrets/key.txt", scope: "file", change: "modify" }],
    preview: async (_input, { host }) => {
      previews += 1;
      const { bytes } = await host.fs.readFile("secrets/key.txt");
      return { summary: new TextDecoder().decode(bytes) };
    },
  });
  const { kit } = await testKit({ rules: { deny }, tools: { extra: [tool] } }, { files });

  const { decision, preview } = await kit.preview({ name: "Change" });

  expect([decision?.kind, preview, previews]).toEqual(["deny", undefined, 0]);
});
