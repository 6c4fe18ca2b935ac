import { expect, test } from "vitest";
import { createToolkit, memoryHost } from "../../src/index.ts";

/** Characters of all built-in tools as a model sees them before its first call. */
const maxChars = 12_000;

test.for(["anthropic", "openai", "gemini", "mcp"] as const)(
  "the definitions for %s cost a model at most 12 kB",
  async (format) => {
    await using kit = await createToolkit({ host: memoryHost({}) });

    const { tools } = await kit.definitions(format);

    const seen = tools.map((tool) => {
      // Clients of MCP keep titles and annotations to themselves.
      const {
        title: _title,
        annotations: _annotations,
        ...rest
      } = { ...tool } as Record<string, unknown>;
      return rest;
    });
    expect(JSON.stringify(seen).length).toBeLessThanOrEqual(maxChars);
  },
);
