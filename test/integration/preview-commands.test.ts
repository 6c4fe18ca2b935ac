import { describe, expect, test } from "vitest";
import {
  commandPreview,
  type CommandPreview,
  type MemoryHost,
  type Services,
  type ServiceToken,
} from "../../src/index.ts";
import { world } from "./world.ts";

const files = { "a.txt": "one\ntwo\nthree\n" };

/** Says what a command changed, as an overlay would. */
function overlay(host: MemoryHost): {
  run: CommandPreview;
  ran: string[][];
  dropped: () => number;
} {
  const ran: string[][] = [];
  let drops = 0;
  return {
    ran,
    dropped: () => drops,
    run: async ({ argv }) => {
      ran.push([...argv]);
      host.control.plant("/upper/a.txt", { kind: "file", content: "one\n2\nthree\n" });
      return {
        staged: {
          since: 0,
          changes: [
            { path: "/project/.git", to: { kind: "directory", mode: 0o755 } },
            {
              path: "/project/a.txt",
              to: { kind: "file", source: "/upper/a.txt", size: 12, mode: 0o644, mtimeMs: 0 },
            },
          ],
          refused: [{ path: "/project/s", because: "it is a socket" }],
          through: ["/project/node_modules"],
        },
        output: { stdout: "done\n", stderr: "hm\n", exitCode: 2 },
        drop: async () => void (drops += 1),
      };
    },
  };
}

async function withOverlay(options: Parameters<typeof world>[0]) {
  const fakes: ReturnType<typeof overlay>[] = [];
  const services: Services = {
    get<T>(token: ServiceToken<T>): T | undefined {
      const service: unknown = token.id === commandPreview.id ? fakes[0]?.run : undefined;
      return isFor(token, service) ? service : undefined;
    },
  };
  const made = await world({ services, ...options }, { files });
  const fake = overlay(made.host);
  fakes.push(fake);
  return { ...made, fake };
}

describe("a command", () => {
  test("is tried where nothing of it counts, and shown with its changes", async () => {
    const { kit, fake } = await withOverlay({ rules: { allow: ["Bash(npm test)"] } });

    const { preview } = await kit.preview({ name: "Bash", input: { command: "npm test" } });

    expect(fake.ran.map((argv) => argv.at(-1))).toEqual(["npm test"]);
    expect(fake.dropped()).toBe(1);
    expect(preview).toMatchObject({
      basis: "run",
      summary: "Would create .git, change a.txt (1 added, 1 removed).",
      content: "done\n[stderr]\nhm\n(Exit code 2.)",
      refused: [{ path: "/project/s", because: "it is a socket" }],
      passthrough: ["/project/node_modules"],
    });
    expect(preview?.diff).toMatchInlineSnapshot(`
      ".git: created (a directory, protected)
      --- a.txt
      +++ a.txt
      @@ -1,3 +1,3 @@
       one
      -two
      +2
       three
      "
    `);
  });

  test("that needs a yes runs nowhere without it", async () => {
    const { kit, fake, asked } = await withOverlay({ answers: [{ kind: "deny" }] });
    const call = { name: "Bash", input: { command: "node x.js" } };

    const shown = await kit.preview(call);
    await kit.call(call);
    expect(fake.ran).toEqual([]);
    const approved = await kit.preview(call, { approved: true });

    expect(shown.preview?.summary).toMatchInlineSnapshot(
      `"It was not tried: even on an overlay the program would run, and that needs approval first. What Bash would do can only be found out by running it."`,
    );
    expect(shown.preview?.changes).toBeUndefined();
    const connects = await kit.preview({ name: "Bash", input: { command: "curl example.com" } });
    expect(connects.preview?.summary).toBe(
      "It was not tried: even on an overlay the program would run, and that needs approval first. Would change no file.",
    );
    expect(asked).toHaveLength(1);
    expect(approved.preview?.basis).toBe("run");
    expect(fake.ran).toHaveLength(1);
  });

  test("that can do only what it lists is tried before a person is asked", async () => {
    const { kit, asked } = await withOverlay({ answers: [{ kind: "deny" }] });

    await kit.call({ name: "Bash", input: { command: "touch a.txt" } });

    expect(asked[0]?.preview).toContain("+2");
  });

  test("that runs in the background is not tried", async () => {
    const { kit, fake } = await withOverlay({ mode: "bypassPermissions" });

    const { preview } = await kit.preview({
      name: "Bash",
      input: { command: "node server.js", run_in_background: true },
    });

    expect(preview?.summary).toContain("in the background");
    expect(fake.ran).toEqual([]);
  });

  test("without an overlay is not tried, and its declared effects are listed", async () => {
    const { kit } = await world({ mode: "bypassPermissions" }, { files });
    const preview = async (command: string) =>
      (await kit.preview({ name: "Bash", input: { command } })).preview;

    expect(await preview("touch made")).toMatchInlineSnapshot(`
      {
        "basis": "declared",
        "changes": [
          {
            "change": "modified",
            "path": "/project/made",
          },
        ],
        "summary": "A command cannot be tried here without touching the files: Overlays work only on Linux. As declared: Would change made.",
      }
    `);
    expect(await preview("node x.js")).toMatchInlineSnapshot(`
      {
        "basis": "declared",
        "summary": "A command cannot be tried here without touching the files: Overlays work only on Linux. What Bash would do can only be found out by running it.",
      }
    `);
  });

  test("that only looks is run", async () => {
    const programs = { bash: () => 0 };
    const { kit } = await world({ mode: "bypassPermissions" }, { files, programs });

    const { preview } = await kit.preview({ name: "Bash", input: { command: "ls" } });

    expect(preview).toMatchObject({ basis: "run", content: "(No output.)" });
  });
});

function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}
