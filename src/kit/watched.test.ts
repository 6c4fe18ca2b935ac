import { expect, test } from "vitest";
import { defineTool, type Host, type Tool } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { testKit } from "../../test/support/kit.ts";

/** A program that does more than its tool knows of. */
const programOn = (host: Host): Tool =>
  defineTool({
    name: "Program",
    description: "Runs a program.",
    touches: ["execute", "unknown"],
    input: { type: "object" },
    effects: () => [
      {
        kind: "execute",
        argv: ["program"],
        assigns: [],
        via: [],
        consequences: "open",
        span: { start: 0, end: 0 },
      },
    ],
    async run() {
      await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("changed"));
      return { content: "done" };
    },
  });

test.each([
  ["undo", "none"],
  ["off", undefined],
] as const)(
  "with overlays set to %s and none here, of what it did not say it kept %s",
  async (overlay, level) => {
    const host = memoryHost({ files: { "/project/a.txt": "one", "/project/b.txt": "two" } });
    const { kit } = await testKit({
      host,
      mode: "bypassPermissions",
      tools: { extra: [programOn(host)] },
      sandbox: { overlay },
    });

    const { undo, status } = await kit.call({ name: "Program", input: {} });

    expect(status).toBe("ok");
    expect(undo?.level).toBe(level);
    const [entry] = await kit.history();
    expect(entry?.skipped.map(({ path }) => path)).toEqual(
      level === undefined ? undefined : ["/project/a.txt"],
    );
    await kit.dispose();
  },
);
