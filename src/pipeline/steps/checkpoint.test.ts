import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { createToolkit } from "../../kit/index.ts";
import { simpleTool } from "../../../test/support/kit.ts";

test("a link that a program removes by its name is a link again after undo", async () => {
  const host = memoryHost({ files: { "dir/target.txt": "kept" } });
  host.control.plant("link", { kind: "symlink", target: "dir/target.txt" });
  const remove = simpleTool(
    "Remove",
    async () => {
      // As a program does, which meets the link itself: the host of a call would follow it.
      await host.fs.remove("/project/link");
      return { content: "removed" };
    },
    {
      touches: ["write"],
      effects: () => [{ kind: "write", path: "link", scope: "file", change: "delete" }],
    },
  );
  const kit = await createToolkit({
    host,
    tools: { extra: [remove] },
    onAsk: async () => await Promise.resolve({ kind: "once" }),
  });

  const { status } = await kit.call({ name: "Remove", input: {} });
  await expect(host.fs.stat("/project/link")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await kit.undo({ last: 1 });

  expect(status).toBe("ok");
  expect(await host.fs.readLink("/project/link")).toBe("dir/target.txt");
  expect(host.control.texts()["/project/dir/target.txt"]).toBe("kept");
});
