import { describe, expect, test } from "vitest";
import { notBuilt, run } from "../support/built.ts";
import { cliWorld } from "../support/cli.ts";

const read = ["call", "Read", "file_path=a.txt"];
const write = ["call", "Write", "file_path=x.txt", "content=hi"];

describe.skipIf(notBuilt !== undefined)("settings files", () => {
  test("what a project denies holds at once, and --no-settings leaves it out", async () => {
    const settings = JSON.stringify({ permissions: { deny: ["Read(a.txt)"] } });
    await using world = await cliWorld({ "a.txt": "one\n", ".haft/settings.json": settings });

    const denied = await run(read, { world });
    const without = await run([...read, "--no-settings"], { world });

    expect(denied).toMatchObject({ code: 3, out: "" });
    expect(denied.err).toContain("Read(a.txt)");
    expect(denied.err).toContain(".haft/settings.json");
    expect(without.code).toBe(0);
  });

  test("what a project allows counts once a person trusts it, and until then is named", async () => {
    const settings = JSON.stringify({ permissions: { allow: ["Edit(/x.txt)"] } });
    await using world = await cliWorld({ ".haft/settings.json": settings });

    const untrusted = await run(write, { world });
    const trusted = await run([...write, "--trust"], { world });

    expect(untrusted.code).toBe(4);
    expect(untrusted.err).toMatch(/not trusted.*1 allow rule.*--trust/su);
    expect(trusted).toMatchObject({ code: 0, err: "" });
  });

  test("a settings file that cannot be read is named, and everything is asked about", async () => {
    await using world = await cliWorld({
      "a.txt": "one\n",
      ".haft/settings.json": '{"permissions":',
    });

    const { code, err } = await run(read, { world });

    expect(code).toBe(4);
    expect(err).toMatch(/error: .*\.haft\/settings\.json/u);
  });

  test("a person's own settings set the mode, an option overrides it", async () => {
    await using world = await cliWorld();
    const home = await cliWorld({
      ".haft/settings.json": JSON.stringify({ permissions: { defaultMode: "acceptEdits" } }),
    });
    const env = { HOME: home.workspace };

    const own = await run(write, { world, env });
    const overridden = await run([...write, "--mode", "plan"], { world, env });
    await home[Symbol.asyncDispose]();

    expect([own.code, overridden.code]).toEqual([0, 3]);
  });
});
