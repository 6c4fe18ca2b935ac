import { describe, expect, test } from "vitest";
import type { Ask, Mode } from "../../src/core/index.ts";
import { explainCommand } from "../../src/explain/index.ts";
import type { ToolkitOptions } from "../../src/kit/index.ts";
import { simpleTool, testKit, type TestKit } from "../support/kit.ts";

// Complaints about permissions that people made about other tools, each by the name of its thread, and what keeps
// them from being made here.

const place = { cwd: "/project", workspace: "/project", home: "/home/user", env: {} };

const settings = (
  permissions: object,
  files: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...files,
  "/home/user/.haft/settings.json": JSON.stringify({ permissions }),
});

async function kitOf(
  options: ToolkitOptions = {},
  files: Readonly<Record<string, string>> = {},
): Promise<TestKit> {
  return await testKit({ settings: "load", ...options }, { files, programs: { bash: () => 0 } });
}

let count = 0;
const bash = (command: string) => ({ id: `c${(count += 1)}`, name: "Bash", input: { command } });

const write = (file_path: string) => ({
  id: file_path,
  name: "Write",
  input: { file_path, content: "x" },
});

const wiping = () => ({ input: { command: "rm -rf /" } });

const saving =
  (asks: Ask[], scope: "session" | "user" = "session"): NonNullable<ToolkitOptions["onAsk"]> =>
  async (ask) => {
    asks.push(ask);
    return ask.suggestion === undefined
      ? { kind: "once" }
      : { kind: "save", rule: ask.suggestion, scope };
  };

describe("P11: always allow sticks", () => {
  test.each([
    ["gemini-cli#4340", "npm test"],
    ["gemini-cli#18020", "CI=1 npm test"],
    ["gemini-cli#18984", "npm test > out.log 2>&1"],
    ["gemini-cli#19497", "npm run lint && npm test"],
    ["gemini-cli#18727", "/opt/tools/update --all"],
    ["gemini-cli#28886", "cd src && npm test | tail -5"],
    ["gemini-cli#19208", "FOO=bar npm test"],
    ["opencode#20066", "git add . && git commit -m 'a b'"],
    ["opencode#37880", "cp a.txt /tmp/b.txt"],
    ["codex#24344", "timeout 60 npm test"],
  ])("%s: %s is asked about once, and not again after a restart", async (_id, command) => {
    const asks: Ask[] = [];
    const { kit, host } = await kitOf({ onAsk: saving(asks, "user") });

    await kit.call(bash(command));
    await kit.call(bash(command));
    await kit.dispose();

    const next = await testKit({ settings: "load", host, onAsk: saving(asks) });
    await next.kit.call(bash(command));
    expect(asks).toHaveLength(1);
  });

  test("gemini-cli#18020: an approval that cannot be kept says so", async () => {
    const { kit } = await testKit(
      { onAsk: async () => ({ kind: "save", rule: "Bash(npm test)", scope: "user" }) },
      { programs: { bash: () => 0 } },
    );

    expect(await kit.call(bash("npm test"))).toMatchObject({ error: { code: "UNAVAILABLE" } });
  });
});

describe("P12: always allow is as wide as was shown, and never beats a deny", () => {
  test.each(["opencode#31540", "opencode#9554"])(
    "%s: a saved approval does not open what is denied",
    async () => {
      const files = settings({ deny: ["Edit(AGENTS.md)"] }, { "a.txt": "a", "AGENTS.md": "b" });
      const { kit } = await kitOf(
        { onAsk: async () => ({ kind: "save", rule: "Edit", scope: "session" }) },
        files,
      );
      await kit.call({ id: "r", name: "Read", input: { file_path: "a.txt" } });
      await kit.call(write("a.txt"));

      expect(await kit.call(write("AGENTS.md"))).toMatchObject({ status: "denied" });
      expect(await kit.call(bash("echo x > AGENTS.md"))).toMatchObject({ status: "denied" });
    },
  );

  test.each([
    ["opencode#48456", "git push origin main", "git push --force origin main"],
    ["opencode#50600", "rm build/a", "rm -rf src"],
  ])("%s: approving %s says nothing about %s", async (_id, approved, other) => {
    const asks: Ask[] = [];
    const { kit } = await kitOf({ onAsk: saving(asks) });

    await kit.call(bash(approved));
    await kit.call(bash(other));

    expect(asks).toHaveLength(2);
  });
});

describe("P13: what is allowed is not stretched", () => {
  const rules = { allow: ["Bash(ls *)", "Bash(echo *)", "Bash(git status)", "Bash(npm test)"] };

  test.each([
    ["gemini-cli#11510", "ls; npm publish"],
    ["gemini-cli#11766", "echo $(npm publish)"],
    ["gemini-cli#11047", "ls && npm publish"],
    ["gemini-cli#14926", "git status\nnpm publish"],
    ["gemini-cli#5495", "npm test & npm publish"],
    ["gemini-cli#26788", "echo x > package.json"],
    ["opencode#44728", "echo `npm publish`"],
    ["opencode#17497", "echo x >> ~/.bashrc"],
    ["opencode#32628", "> package.json"],
    ["opencode#43336", "ls | tee package.json"],
    ["opencode#28682", "eval 'npm publish'"],
    ["opencode#46398", "ls <(npm publish)"],
    ["opencode#39931", "bash -c 'npm test; npm publish'"],
    ["claude-code#92542", "npm test | xargs npm publish"],
    ["claude-code#39601", "sudo npm test"],
    ["claude-code#18613", "sh -ec 'npm publish'"],
    ["claude-code#94314", "ls || npm publish"],
    ["claude-code#28784", "ls\n\nnpm publish"],
    ["crush#2882", "env npm publish"],
    ["crush#2368", "ls 2> package.json"],
    ["crush#3425", "ls &\nnpm publish"],
  ])("%s: %j is asked about", (_id, command) => {
    expect(explainCommand(command, { ...place, rules }).verdict).toBe("ask");
  });

  test("opencode#42979: a link inside an allowed folder is judged by where it leads", async () => {
    const { kit, host } = await kitOf({ rules: { allow: ["Edit(/**)"] } });
    host.control.plant("/outside/a.txt", { kind: "file", content: "a" });
    host.control.plant("/project/link", { kind: "symlink", target: "/outside" });

    const call = { id: "1", name: "Write", input: { file_path: "link/b.txt", content: "x" } };
    expect(await kit.call(call)).toMatchObject({ status: "denied" });
    expect(await kit.call(bash("echo x > link/b.txt"))).toMatchObject({ status: "denied" });
  });
});

describe("P14: plan mode holds through agents and the shell, and still lets read", () => {
  test.each([
    ["opencode#26514", "npm test"],
    ["opencode#26700", "echo x > a.txt"],
    ["kilocode#12373", "sed -i s/a/b/ a.txt"],
  ])("%s: below a parent that plans, %s is denied", async (_id, command) => {
    const { kit } = await kitOf({ mode: "plan" });
    const child = kit.derive({ mode: "bypassPermissions" });
    const grandchild = child.derive({ mode: "acceptEdits" });

    expect(await child.call(bash(command))).toMatchObject({ status: "denied" });
    expect(await grandchild.call(bash(command))).toMatchObject({ status: "denied" });
  });

  test.each([
    ["opencode#33967", "git log --oneline | head"],
    ["kilocode#8417", "grep -rn x src"],
  ])("%s: %s is still allowed", (_id, command) => {
    expect(explainCommand(command, { ...place, mode: "plan" }).verdict).toBe("allow");
  });
});

describe("P15: hooks run before every call", () => {
  test.each([
    ["copilot-cli#2392", () => Promise.reject(new Error("crashed"))],
    ["claude-code#78970", () => ({ block: "no" })],
    ["claude-code#57548", async () => ({ block: "no" })],
    [
      "claude-code#4669",
      () => {
        throw new Error("crashed");
      },
    ],
    ["claude-code#37210", async () => await Promise.reject(new TypeError("late"))],
  ])("%s: one that blocks or fails lets nothing run, in a child as well", async (_id, hook) => {
    let ran = 0;
    const tool = simpleTool("Deploy", () => ({ content: `${(ran += 1)}` }), { touches: [] });
    const { kit } = await testKit({ hooks: { before: [hook] }, tools: { extra: [tool] } });

    for (const each of [kit, kit.derive(), kit.derive().derive()]) {
      const outcome = await each.call({ id: "1", name: "Deploy", input: {} });
      expect(outcome.error?.code).toBe("BLOCKED_BY_HOOK");
    }
    expect(ran).toBe(0);
  });

  test("claude-code#13756: what a hook rewrites is what is judged", async () => {
    const { kit } = await kitOf({ mode: "bypassPermissions", hooks: { before: [wiping] } });

    expect(await kit.call(bash("ls"))).toMatchObject({ status: "denied" });
  });
});

describe("P16: what a repository brings changes nothing before it is trusted", () => {
  test.each([
    ["opencode#6361", ".haft/settings.json", { allow: ["Bash"] }],
    ["oh-my-pi#8679", ".claude/settings.json", { allow: ["Bash(npm test)"] }],
    ["openworker#213", ".haft/settings.local.json", { defaultMode: "bypassPermissions" }],
    ["qwen-code#5368", ".haft/settings.json", { additionalDirectories: ["/"], allow: ["Bash"] }],
  ])("%s: %s", async (_id, file, permissions) => {
    const { kit } = await kitOf({}, { [file]: JSON.stringify({ permissions }) });

    expect(kit.mode).toBe("default");
    expect(await kit.call(bash("npm test"))).toMatchObject({ status: "denied" });
    expect(kit.workspace.problems.some(({ message }) => message.includes("not trusted"))).toBe(
      true,
    );
  });
});

describe("P23: with nobody to ask, asking is refusing", () => {
  test.each([
    "opencode#36762",
    "gemini-cli#12337",
    "gemini-cli#16567",
    "claude-code#76867",
    "claude-code#90578",
  ])("%s: the call ends at once, and says that an approval was needed", async () => {
    const { kit } = await kitOf();

    expect(await kit.call(bash("npm test"))).toMatchObject({
      status: "denied",
      isError: true,
      error: { code: "APPROVAL_REQUIRED" },
      decision: { kind: "ask" },
    });
  });

  test("claude-code#37935: what a person refused is counted, so that asking on is seen", async () => {
    const refusals: number[] = [];
    const { kit } = await kitOf({
      onAsk: async (ask) => {
        refusals.push(ask.refusals);
        return { kind: "deny" };
      },
    });

    for (const id of ["1", "2", "3"]) await kit.call({ ...bash("npm test"), id });

    expect(refusals[0]).toBe(0);
    expect(refusals.at(-1)).toBeGreaterThan(0);
  });
});

describe("B1: what is saved is useful and small", () => {
  const message =
    "git commit -m \"$(cat <<'EOF'\nSubject with `ticks` and $(parens)\n\nBody\nEOF\n)\"";

  test.each([
    ["claude-code#31191", message],
    ["claude-code#11006", message.replace("Body", "Other")],
    ["claude-code#11932", "git commit -m 'One\n\nTwo'"],
    ["claude-code#32818", `git add . && ${message}`],
    ["claude-code#35183", message.replace("Subject", "`a`")],
  ])("%s: a commit with a message of several lines is asked about once", async (_id, command) => {
    const asks: Ask[] = [];
    const { kit } = await kitOf({ onAsk: saving(asks) });

    await kit.call(bash(command));
    await kit.call(bash(command.replace("One", "Another").replace("Body", "Words")));

    expect(asks).toHaveLength(1);
    expect(asks[0]?.suggestion?.split("\n").at(-1)).toBe("Bash(git commit -m *)");
  });

  test("claude-code#25825: no line of a here-document becomes a rule", async () => {
    const asks: Ask[] = [];
    const { kit } = await kitOf({ onAsk: saving(asks) });

    await kit.call(bash("cat > a.sh <<'E'\nrm -rf build\nnpm publish\nE"));

    expect(asks[0]?.suggestion).toBe("Edit(/a.sh)");
  });

  test("claude-code#30880: no rule is long, and one that cannot be read takes no other with it", async () => {
    const asks: Ask[] = [];
    const files = settings({ deny: ["Bash(npm publish)", "Bash("], allow: ["Bash(npm test)"] });
    const { kit } = await kitOf({ onAsk: saving(asks) }, files);

    expect(await kit.explain(bash("npm test"))).toMatchObject({ decision: { kind: "ask" } });
    expect(await kit.call(bash("npm publish"))).toMatchObject({ status: "denied" });
    await kit.call(bash(`node script.js ${"word ".repeat(60)}`));
    expect(asks.at(-1)?.suggestion).toBeUndefined();
  });
});

describe("B2: no rule does nothing in silence", () => {
  test.each([
    { rule: "Raed(./secrets/**)", says: "Read" },
    { rule: "Bash(npm test && rm x)", says: "one command at a time" },
    { rule: "Bash(command:rm *)", says: "command" },
  ])("a deny rule $rule is reported and still holds", async ({ rule, says }) => {
    const { kit } = await kitOf({}, settings({ deny: [rule] }));

    const said = kit.workspace.problems
      .map(({ message, hint }) => `${message} ${hint ?? ""}`)
      .join(" ");
    expect(said).toContain(says);
  });

  test("an example that comes out otherwise is an error", async () => {
    const rule = { rule: "Bash(npm run *)", match: ["npm test"] };
    const { kit } = await kitOf({}, settings({ allow: [rule] }));

    expect(kit.workspace.problems.map(({ message }) => message).join(" ")).toContain(
      "its own example",
    );
    expect(await kit.call(bash("npm run a"))).toMatchObject({ status: "denied" });
  });

  test("an unknown key is named with the nearest one", async () => {
    const { kit } = await kitOf({}, settings({ denny: ["Bash"] }));

    const said = kit.workspace.problems
      .map(({ message, hint }) => `${message} ${hint ?? ""}`)
      .join(" ");
    expect(said).toContain("denny");
    expect(said).toContain("deny");
  });
});

describe("B3: rules know arguments, and nobody vouches for themselves", () => {
  test.each(["goose#11017", "goose#11399"])("%s: one tool is allowed for some inputs", (_id) => {
    const rules = { allow: ["Bash(npm run *)"], deny: ["Bash(npm run deploy)"] };

    expect(explainCommand("npm run build", { ...place, rules }).verdict).toBe("allow");
    expect(explainCommand("npm run deploy", { ...place, rules }).verdict).toBe("deny");
    expect(explainCommand("npm publish", { ...place, rules }).verdict).toBe("ask");
  });

  test("goose#10970: a tool of a server that calls itself read-only is asked about", async () => {
    const tool = simpleTool("mcp__files__get", () => ({ content: "x" }), {
      touches: ["unknown"],
      flags: { readOnly: true, destructive: false },
      source: { id: "files", name: "Files", kind: "mcp" },
    });
    const { kit } = await testKit({ tools: { extra: [tool] } });

    expect(await kit.call({ id: "1", name: "mcp__files__get", input: {} })).toMatchObject({
      status: "denied",
    });
  });

  test.each(["crush#2474", "crush#2463", "crush#2831", "crush#497"])(
    "%s: an approval for the session is for this command, not for the tool in this folder",
    async () => {
      const asks: Ask[] = [];
      const { kit } = await kitOf({ onAsk: saving(asks) });

      await kit.call(bash("npm test"));
      await kit.call(bash("npm publish"));
      await kit.call(bash("touch a.txt"));

      expect(asks.map(({ suggestion }) => suggestion)).toEqual([
        "Bash(npm test)",
        "Bash(npm publish)",
        "Bash(touch a.txt)",
      ]);
    },
  );
});

describe("one refusal is one refusal", () => {
  test.each(["opencode#47996", "KiroCrew#6068", "claude-code#38300"])(
    "%s: the other calls of the turn go on, and the reason reaches the model",
    async () => {
      const { kit } = await kitOf({
        onAsk: async (ask) =>
          JSON.stringify(ask.input).includes("publish")
            ? { kind: "deny", reason: "not today" }
            : { kind: "once" },
      });

      const [refused, ran] = await kit.callAll([bash("npm publish"), bash("npm test")]);

      expect(refused).toMatchObject({ status: "denied" });
      expect(refused?.text).toContain("not today");
      expect(ran).toMatchObject({ status: "ok" });
    },
  );
});

test("in every mode a deny is a deny", () => {
  const modes: readonly Mode[] = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
  for (const mode of modes) {
    const rules = { allow: ["Bash"], deny: ["Bash(npm publish)"] };
    expect(explainCommand("npm publish", { ...place, mode, rules }).verdict).toBe("deny");
  }
});
