import { expect, test } from "vitest";
import { testKit } from "../../../test/support/kit.ts";

const token = `ghp_${"a1B2".repeat(9)}`;
const mark = "[redacted: GitHub token]";
const files = { "a.env": `TOKEN=${token}\nPORT=1\n`, "b.txt": `see ${mark}\n` };

async function afterReading(paths: readonly string[]) {
  const { kit, host } = await testKit({ mode: "bypassPermissions" }, { files });
  for (const file_path of paths) await kit.call({ name: "Read", input: { file_path } });
  return { kit, text: (path: string) => host.control.texts()[`/project/${path}`] };
}

test("what was read without its secret is not written back without it", async () => {
  const { kit, text } = await afterReading(["a.env"]);

  const outcome = await kit.call({
    name: "Write",
    input: { file_path: "a.env", content: `TOKEN=${mark}\nPORT=2\n` },
  });

  expect(outcome.text).toMatchInlineSnapshot(`
    "INVALID_INPUT: Write would write [redacted: GitHub token], which stands for a secret that was hidden from you.
    The file holds the secret, not the mark: choose lines around it, and leave its line as it is."
  `);
  expect(text("a.env")).toBe(files["a.env"]);
});

test("an edit that searches for the mark gets the reason why it finds nothing", async () => {
  const { kit, text } = await afterReading(["a.env"]);

  const outcome = await kit.call({
    name: "Edit",
    input: {
      file_path: "a.env",
      old_string: `TOKEN=${mark}\nPORT=1`,
      new_string: `TOKEN=${mark}\nPORT=2`,
    },
  });

  expect(outcome.error?.code).toBe("NO_MATCH");
  expect(outcome.text).toContain(`${mark} stands for a secret that was hidden from you`);
  expect(outcome.text).toContain("choose lines around it");
  expect(text("a.env")).toBe(files["a.env"]);
});

test("an edit that inserts the mark is refused, and one next to the secret is made", async () => {
  const { kit, text } = await afterReading(["a.env"]);
  const edit = (old_string: string, new_string: string) =>
    kit.call({ name: "Edit", input: { file_path: "a.env", old_string, new_string } });

  expect((await edit("PORT=1", `COPY=${mark}`)).error?.code).toBe("INVALID_INPUT");
  expect((await edit("PORT=1", "PORT=2")).status).toBe("ok");
  expect(text("a.env")).toBe(`TOKEN=${token}\nPORT=2\n`);
});

test("each of several edits is looked at by itself", async () => {
  const { kit, text } = await afterReading(["a.env"]);
  const twice = (
    await kit.call({
      name: "Edit",
      input: {
        file_path: "a.env",
        edits: [
          { old_string: "PORT", new_string: `${mark}PORT` },
          { old_string: "=1", new_string: `=1${mark}` },
        ],
      },
    })
  ).error;

  expect(twice?.code).toBe("INVALID_INPUT");
  expect(twice?.message).toContain(mark);
  expect(text("a.env")).toBe(files["a.env"]);
});

test("a command that would write the mark is refused", async () => {
  const { kit } = await afterReading(["a.env"]);

  const outcome = await kit.call({ name: "Bash", input: { command: `echo '${mark}' > a.env` } });

  expect(outcome.error?.code).toBe("INVALID_INPUT");
});

test("a mark that is in a file, or came from nowhere, is text like any other", async () => {
  const { kit, text } = await afterReading(["b.txt"]);

  const outcome = await kit.call({
    name: "Write",
    input: { file_path: "c.txt", content: `about ${mark}\n` },
  });

  expect(outcome.status).toBe("ok");
  expect(text("c.txt")).toBe(`about ${mark}\n`);
});

test("a mark in the second file that a call names is refused like one in the first", async () => {
  const { kit, text } = await afterReading(["a.env"]);
  await kit.call({ name: "Read", input: { file_path: "b.txt" } });

  const outcome = await kit.call({
    name: "Bash",
    input: { command: `ls; echo '${mark}' > a.env` },
  });

  expect(outcome.error?.code).toBe("INVALID_INPUT");
  expect(text("a.env")).toBe(files["a.env"]);
});

test("a command that writes nothing may name the mark", async () => {
  const { kit } = await afterReading(["a.env"]);

  const outcome = await kit.call({ name: "Grep", input: { pattern: mark, path: "b.txt" } });

  expect(outcome.status).toBe("ok");
});
