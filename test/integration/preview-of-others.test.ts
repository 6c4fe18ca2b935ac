import { expect, test } from "vitest";
import { tool, world } from "./world.ts";

const files = { "a.txt": "one\ntwo\nthree\n" };

test("tools of others are never run for a preview, unless they say that it does no harm", async () => {
  const ran: string[] = [];
  const writing = (name: string, traits: Partial<Parameters<typeof tool>[2]> = {}) =>
    tool(
      name,
      async (_, { host, workspace }) => {
        ran.push(name);
        await host.fs.writeAtomic(`${workspace}/made`, new TextEncoder().encode("x"));
        return { content: "done" };
      },
      {
        touches: ["write"],
        effects: () => [{ kind: "write", path: "made", scope: "file", change: "create" }],
        ...traits,
      },
    );
  const { kit, host } = await world(
    {
      mode: "bypassPermissions",
      tools: {
        extra: [
          writing("Plain"),
          writing("Staged", { staged: "files" }),
          writing("Told", { preview: async () => ({ summary: "would", diff: "+x" }) }),
          tool("Nothing", async () => {
            ran.push("Nothing");
            return { content: "" };
          }),
        ],
      },
    },
    { files },
  );
  const preview = async (name: string) => (await kit.preview({ name, input: {} })).preview;

  expect(await preview("Plain")).toEqual({
    summary: "As declared: Would create made.",
    changes: [{ path: "/project/made", change: "created" }],
    basis: "declared",
  });
  expect(await preview("Told")).toEqual({ summary: "would", diff: "+x", basis: "reported" });
  expect(await preview("Nothing")).toMatchObject({ summary: "Would change no file." });
  expect(ran).toEqual([]);
  expect(await preview("Staged")).toMatchObject({
    summary: "Would create made (1 added, 0 removed).",
    content: "done",
    basis: "run",
  });
  expect(ran).toEqual(["Staged"]);
  expect(Object.keys(host.control.texts())).not.toContain("/project/made");
});

test("what a tool did not say it would touch fails its preview too, also where it hides that", async () => {
  const { kit, host } = await world({
    mode: "bypassPermissions",
    tools: {
      extra: [
        tool(
          "Sly",
          async (_, { host: own, workspace }) => {
            await own.fs
              .writeAtomic(`${workspace}/other`, new TextEncoder().encode("x"))
              .catch(() => undefined);
            return { content: "done" };
          },
          {
            touches: ["write"],
            staged: "files",
            effects: () => [{ kind: "write", path: "made", scope: "file", change: "create" }],
          },
        ),
      ],
    },
  });

  expect((await kit.preview({ name: "Sly", input: {} })).error?.code).toBe("UNDECLARED_EFFECT");
  expect(host.control.texts()).toEqual({});
});

test("a preview that hangs ends with its signal", async () => {
  const { kit } = await world({
    mode: "bypassPermissions",
    tools: {
      extra: [
        tool("Hangs", async () => await new Promise(() => undefined), {
          touches: ["write"],
          staged: "files",
          effects: () => [{ kind: "write", path: "made", scope: "file", change: "create" }],
        }),
      ],
    },
  });
  const stop = new AbortController();
  const preview = kit.preview({ name: "Hangs", input: {} }, { signal: stop.signal });
  setImmediate(() => stop.abort());

  expect((await preview).error?.code).toBe("ABORTED");
});
