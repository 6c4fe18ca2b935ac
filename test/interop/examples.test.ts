import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

/** Directory with the programs, where the package of the Claude Agent SDK is a fake. */
function programs(): string {
  const directory = at("programs");
  if (existsSync(directory)) return directory;
  const modules = path.join(directory, "node_modules");
  mkdirSync(path.join(modules, "@anthropic-ai/claude-agent-sdk"), { recursive: true });
  cpSync(path.join(root, "examples/interop"), directory, { recursive: true });
  const manifest = { name: "fake", type: "module", exports: "./index.mjs" };
  const fake = path.join(modules, "@anthropic-ai/claude-agent-sdk");
  writeFileSync(path.join(fake, "package.json"), JSON.stringify(manifest));
  const real = path.join(root, "test/interop/fake-agent-sdk.mjs");
  writeFileSync(path.join(fake, "index.mjs"), `export * from ${JSON.stringify(real)};\n`);
  const needed = [
    "@ai-sdk",
    "@google",
    "@langchain",
    "@modelcontextprotocol",
    "@opentelemetry",
    "ai",
    "openai",
    "zod",
  ];
  for (const name of needed)
    symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  const sdk = "@anthropic-ai/sdk";
  symlinkSync(path.join(root, "node_modules", sdk), path.join(modules, sdk));
  symlinkSync(root, path.join(modules, "haft"));
  return directory;
}

async function run(program: string, directory: string): Promise<{ out: string; err: string }> {
  const child = spawn(process.execPath, [program, directory], {
    cwd: programs(),
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

/** Programs that need no model. */
const others = [
  {
    program: "langchain.mjs",
    page: "langchain.md",
    out: "count_words: ok, 3 words\nWrite: ok, 1 line\n",
  },
  {
    program: "opentelemetry.mjs",
    page: "opentelemetry.md",
    out: "chat note \nexecute_tool Write allow\nchat note \ninvoke_agent \n",
  },
  { program: "mcp.mjs", page: "mcp.md", out: "true\nWrite: ok\n" },
  { program: "claude-agent.mjs", page: "claude-agent.md", out: "4 tools; Write: ok\n" },
  {
    program: "functions.mjs",
    page: "functions.md",
    out: "Add: ok, 9\nmultiply: denied, APPROVAL_REQUIRED\nDivide: ok, 2\n",
  },
  {
    program: "openapi.mjs",
    page: "openapi.md",
    out: '2 tools, 0 skipped\nreadNote: ok, {"got":"GET /notes/7"}\ndeleteNote: denied\n',
  },
];

test.skipIf(notBuilt !== undefined).each(others)(
  "$program prints what its page says",
  async ({ program, out: expected }) => {
    const directory = at(program);
    mkdirSync(directory);

    const { out, err } = await run(program, directory);

    expect(err).toBe("");
    expect(out).toBe(expected);
  },
);

test.each([...notes, ...others])("$page shows $program as it is", ({ program, page }) => {
  const shown = readFileSync(path.join(root, "docs/interop", page), "utf8");

  expect(shown).toContain(readFileSync(path.join(root, "examples/interop", program), "utf8"));
});
