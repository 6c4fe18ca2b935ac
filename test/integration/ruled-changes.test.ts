import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import type { Answer, Mode } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { bash, python } from "../support/kit-folder.ts";
import { askingKit } from "../support/asking-kit.ts";

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const { at, open } = askingKit();
const yes: Answer = { kind: "once" };

describe.skipIf(missing !== undefined)("what a rule asks about", () => {
  const rules = { allow: ["Bash(python3 *)"], ask: ["Edit(./migrations/**)", "Edit"] };
  const migrate = python(
    "os.makedirs('migrations', exist_ok=True); open('migrations/1.sql', 'w').write('x'); open('b.txt', 'w').write('b')",
  );

  test.each<Mode>(["default", "acceptEdits", "bypassPermissions"])(
    "is asked about once a command has changed it, in %s",
    async (mode) => {
      const { kit, asked } = await open(yes, { rules, mode });

      const outcome = await bash(kit, migrate);
      const other = await bash(kit, python("open('c.txt', 'w').write('c')"));

      expect([outcome.status, other.status]).toEqual(["ok", "ok"]);
      expect(asked.map(({ question }) => question)).toEqual([
        "Keep what the command changed, migrations/1.sql included?",
      ]);
      expect(asked[0]?.reason).toContain("A rule asks about one of these files.");
      expect(existsSync(at("work/migrations/1.sql"))).toBe(true);
    },
  );

  test.each<[Answer | undefined, Mode, string]>([
    [{ kind: "deny" }, "default", "DENIED_BY_USER"],
    [undefined, "bypassPermissions", "APPROVAL_REQUIRED"],
    [yes, "dontAsk", "APPROVAL_REQUIRED"],
  ])("stays as it is with %j in %s, and so does the rest", async (answer, mode, code) => {
    const { kit } = await open(answer, { rules, mode });

    const outcome = await bash(kit, migrate);

    expect(outcome.error?.code).toBe(code);
    expect(outcome.text).toContain("a file that is asked about (migrations/1.sql)");
    expect(await readdir(at("work"))).toEqual(["a.txt", "src"]);
  });

  test("is not asked about twice", async () => {
    mkdirSync(at("work/migrations"));
    const { kit, asked } = await open(yes, { rules });

    await bash(kit, `echo x > migrations/2.sql; ${python("open('b.txt', 'w').write('b')")}`);

    expect(asked.map(({ question }) => question.startsWith("Keep"))).toEqual([false]);
    expect(existsSync(at("work/migrations/2.sql"))).toBe(true);
  });

  test("of an agent above is asked about for one below", async () => {
    const { kit, asked } = await open(yes, { rules, mode: "bypassPermissions" });

    await bash(kit.derive({ mode: "bypassPermissions" }), migrate);

    expect(asked.length).toBe(1);
  });
});

describe.skipIf(missing !== undefined)("what a rule denies", () => {
  test.each<[string, string, string]>([
    ["is not made", "os.makedirs('secrets'); open('secrets/new', 'w').write('x')", "secrets/**"],
    ["is not made by a pattern", "open('src/new.pem', 'w').write('x')", "**/*.pem"],
    [
      "is not moved in",
      "os.mkdir('d'); open('d/new', 'w').write('x'); os.rename('d', 'secrets')",
      "secrets/**",
    ],
    ["is not made where everything is denied", "open('new', 'w').write('x')", ""],
  ])("%s, and the rest is kept", async (_, statements, pattern) => {
    const deny = pattern === "" ? "Edit" : `Edit(./${pattern})`;
    const { kit } = await open(undefined, { rules: { allow: ["Bash(python3 *)"], deny: [deny] } });

    const outcome = await bash(kit, python(`${statements}; open('b.txt', 'w').write('b')`));

    const names = await readdir(at("work"), { recursive: true });
    expect(names.filter((name) => name.endsWith("new") || name.endsWith(".pem"))).toEqual([]);
    expect(names.includes("b.txt")).toBe(pattern !== "");
    expect(outcome.text).toContain("could not be written to the workspace");
  });

  test.each<[string, string]>([
    ["changed", "open('secrets/old', 'w').write('x')"],
    ["removed with its folder", "shutil.rmtree('secrets')"],
    ["replaced by another", "open('n', 'w').write('x'); os.replace('n', 'secrets/old')"],
    ["changed by another name", "os.link('secrets/old', 'n'); open('n', 'w').write('x')"],
    [
      "hidden by a link instead of its folder",
      "os.rename('secrets', 's'); os.symlink('src', 'secrets')",
    ],
  ])("is not %s", async (_, statements) => {
    mkdirSync(at("work/secrets"));
    writeFileSync(at("work/secrets/old"), "kept");
    const { kit } = await open(undefined, {
      rules: { allow: ["Bash(python3 *)"], deny: ["Edit(./secrets/**)"] },
      // Nothing else holds it.
      sandbox: { require: "off" },
    });

    await bash(kit, python(statements));

    expect(readFileSync(at("work/secrets/old"), "utf8")).toBe("kept");
  });

  test("holds for an agent below as well, whatever its own mode", async () => {
    const { kit } = await open(undefined, {
      mode: "bypassPermissions",
      rules: { deny: ["Edit(./kept)"] },
    });
    const child = kit.derive({ mode: "bypassPermissions" });

    await child.call({
      name: "Bash",
      input: { command: python("[open(n, 'w').write('x') for n in ('kept', 'new')]") },
    });

    expect(await readdir(at("work"))).toEqual(["a.txt", "new", "src"]);
  });
});
