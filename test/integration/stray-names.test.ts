import { expect, test } from "vitest";
import type { Ask } from "../../src/core/index.ts";
import { testKit } from "../support/kit.ts";

const relative = ["file:///home/user/a.txt", "~/a.txt", "$HOME/a.txt", '"/home/user/a.txt"'];
const forms = [...relative, "/home/user/a.txt\n"];

test.each(forms)(
  "a rule for home does not let Write make %j, and nobody is asked",
  async (path) => {
    const asked: Ask[] = [];
    const { host, kit } = await testKit({
      settings: { permissions: { allow: ["Edit(~/**)"] } },
      onAsk: async (ask) => {
        asked.push(ask);
        return { kind: "once" };
      },
    });

    const outcome = await kit.call({
      name: "Write",
      input: { file_path: path, content: "x" },
    });
    await kit.dispose();

    expect(outcome).toMatchObject({ status: "failed", error: { code: "INVALID_INPUT" } });
    expect(outcome.error?.hint).toContain("Pass the plain path: /home/user/a.txt");
    expect(asked).toEqual([]);
    expect(Object.keys(host.control.texts()).filter((each) => each.includes("a.txt"))).toEqual([]);
  },
);

test.each(relative)("a deny rule for the file a path names speaks of %j itself", async (path) => {
  const { host, kit } = await testKit(
    { settings: { permissions: { deny: ["Read(~/**)"], allow: ["Read(//project/**)"] } } },
    { files: { "/home/user/a.txt": "secret", [`/project/${path}`]: "plain" } },
  );

  const literal = await kit.call({ name: "Read", input: { file_path: path } });
  const named = await kit.call({ name: "Read", input: { file_path: "/home/user/a.txt" } });
  await kit.dispose();

  expect(literal).toMatchObject({
    status: "ok",
    effects: [{ path: await host.fs.canonical(path, { base: "/project" }) }],
  });
  expect(literal.text).toContain("plain");
  expect(named.status).toBe("denied");
});
