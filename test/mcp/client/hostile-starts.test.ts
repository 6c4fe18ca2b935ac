// Servers that do not start as a server must: the session works without them, and says what happened.
import { describe, expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { callServer, rules, tool } from "./hostile-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const starts = [
  { onStart: "exit", says: "ended with code 3", entry: {} },
  { onStart: "silent", says: "did not answer within 1 s", entry: { startTimeout: 1000 } },
  // Longer, because this one has to start first.
  { onStart: "noList", says: "could not be used", entry: { startTimeout: 5000 } },
];

describe("a server that does not start", () => {
  test.each(starts)("$onStart: $says", async ({ onStart, says, entry }) => {
    await using world = serverWorld();
    const kit = await world.open(
      { s: { ...serverEntry({ tools: [tool], onStart }), ...entry } },
      { rules },
    );

    const { error } = await kit.call({ name: "mcp__s__t", input: {} });
    expect(error).toMatchObject({
      code: "UNKNOWN_TOOL",
      message: expect.stringContaining(says),
      hint: expect.stringContaining("haft mcp doctor"),
    });
    expect(kit.mcp.list()).toMatchObject([
      { status: "failed", reason: expect.stringContaining(says) },
    ]);
    expect(kit.workspace.problems.map(({ message }) => message).join("\n")).toContain(says);
  });

  test("a program that is not there is named", async () => {
    await using world = serverWorld();
    const kit = await world.open({ s: { command: "no-such-program-here" } }, { rules });

    const { server } = await kit.mcp.check("s");

    expect(server).toMatchObject({ status: "failed" });
    expect(server.reason).toContain("no-such-program-here");
  });

  test.each([["garbage"], ["stderr"], ["stderrFlood"], ["crashOnDiscover"], ["silentOnDiscover"]])(
    "%s only delays one that works",
    async (onStart) => {
      const { outcome } = await callServer({ onStart });

      expect(outcome).toMatchObject({ status: "ok", text: "t ran" });
    },
  );

  test.each([
    ["endlessPages", {}],
    ["repeatedPage", {}],
  ])("%s: a list without end is cut", async (onStart, rest) => {
    const { outcome } = await callServer({ onStart, ...rest });

    expect(outcome.status).toBe("ok");
  });

  test("an unknown version of the protocol is refused", async () => {
    await using world = serverWorld();
    const entry = serverEntry({ tools: [tool], protocolVersion: "1999-01-01" });
    const kit = await world.open({ s: entry });

    const { server } = await kit.mcp.check("s");

    expect(server.reason).toContain("protocol version");
  });
});
