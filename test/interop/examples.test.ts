import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notBuilt } from "../support/built.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("interop-example");
const root = path.join(import.meta.dirname, "../..");
const server = new LLMock({ port: 0, logLevel: "silent" });

beforeAll(async () => {
  await server.start();
  const input = { file_path: "NOTES.md", content: "today\n" };
  server.on(
    { userMessage: "Note the date in NOTES.md.", hasToolResult: false },
    { toolCalls: [{ name: "Write", arguments: JSON.stringify(input), id: "call_1" }] },
  );
  server.on({ hasToolResult: true }, { content: "Noted." });
});
afterAll(async () => await server.stop());

async function run(program: string, directory: string): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, [path.join(root, "examples/interop", program), directory], {
    env: {
      ...process.env,
      HOME: at(""),
      OPENAI_API_KEY: "test",
      OPENAI_BASE_URL: `${server.url}/v1`,
      ANTHROPIC_API_KEY: "test",
      ANTHROPIC_BASE_URL: server.url,
      GEMINI_API_KEY: "test",
      GOOGLE_GEMINI_BASE_URL: server.url,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

/** Programs of `examples/interop` that write a note, by the page that shows them. */
const notes = [
  { program: "anthropic.mjs", page: "anthropic.md" },
  { program: "openai-chat.mjs", page: "openai.md" },
  { program: "openai-responses.mjs", page: "openai.md" },
  { program: "gemini.mjs", page: "gemini.md" },
  { program: "ai-sdk.mjs", page: "ai-sdk.md", out: "Approved: Write\nNoted.\n" },
];

test.skipIf(notBuilt !== undefined).each(notes)(
  "$program has a note written by a model of the provider",
  async ({ program, out: expected = "Write: ok, 1 line\nNoted.\n" }) => {
    const directory = at(program);
    mkdirSync(directory);

    const { out, err } = await run(program, directory);

    expect(err).toBe("");
    expect(out).toBe(expected);
    expect(readFileSync(path.join(directory, "NOTES.md"), "utf8")).toBe("today\n");
  },
);

test.each(notes)("$page shows $program as it is", ({ program, page }) => {
  const shown = readFileSync(path.join(root, "docs/interop", page), "utf8");

  expect(shown).toContain(readFileSync(path.join(root, "examples/interop", program), "utf8"));
});
