import { expect, test } from "vitest";
import { defineTool, type Host, type Tool } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { testKit } from "../../test/support/kit.ts";

/** Program that does more than its tool declares. */
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

test.each(["undo", "off"] as const)(
  "with overlays set to %s and none here, the answer and the history say what was not kept",
  async (overlay) => {
    const host = memoryHost({ files: { "/project/a.txt": "one", "/project/b.txt": "two" } });
    const { kit } = await testKit({
      host,
      mode: "bypassPermissions",
      tools: { extra: [programOn(host)] },
      sandbox: { overlay },
    });

    const { undo, status, text } = await kit.call({ name: "Program", input: {} });

    expect(status).toBe("ok");
    expect(undo?.level).toBe("none");
    expect(text).toBe("done\n(It changed a.txt; undo does not cover that.)");
    const [entry] = await kit.history();
    expect(entry?.skipped.map(({ path }) => path)).toEqual(["/project/a.txt"]);
    await kit.dispose();
  },
);
