import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyTool,
  boundary,
  home,
  readOf,
  requestOf,
  rulesOf,
  runOf,
  source,
  unknownOf,
  verdict,
  workspace,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect, Mode } from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { decide, ruleCovers } from "../decide/decide.ts";
import { runs } from "../../../test/support/law-runs.ts";

function suggested(on: readonly Effect[], more = {}): string | undefined {
  const decision = decide(requestOf(on, more));
  return decision.kind === "ask" ? decision.suggestion : undefined;
}

/** An open command of these very words. */
function open(argv: readonly string[], more = {}): readonly Effect[] {
  const [program = ""] = argv;
  return [runOf("", { argv, ...more }), unknownOf(program)];
}

describe("the rule that would answer a question", () => {
  test.each([
    { on: [writeOf("/ws/src/a.ts")], rule: "Edit(/src/a.ts)", because: "the file, and no more" },
    { on: [writeOf("/tmp/x")], rule: "Edit(//tmp/x)", because: "the exact path outside" },
    { on: [readOf(`${home}/x`)], rule: `Read(/${home}/x)`, because: "the exact path outside" },
    {
      on: [readOf("/srv/a/b", "tree")],
      rule: "Read(//srv/a/b/**)",
      because: "the folder asked for",
    },
    {
      on: [readOf("/srv", "tree")],
      rule: undefined,
      because: "a top folder is too much for a click",
    },
    { on: [readOf(home, "tree")], rule: undefined, because: "so is all of home" },
    { on: [writeOf("/ws", "any", "tree")], rule: undefined, because: "so is the whole workspace" },
    {
      on: [writeOf("/ws/a[1]*.ts")],
      rule: String.raw`Edit(/a\[1\]\*.ts)`,
      because: "characters mean themselves",
    },
    {
      on: [writeOf("/ws/a (copy).ts")],
      rule: "Edit(/a (copy).ts)",
      because: "parentheses may be in a name",
    },
    { on: [writeOf("/ws/a\u0007b")], rule: undefined, because: "nor can other control characters" },
    { on: [writeOf("/ws/a\nb")], rule: undefined, because: "a line end cannot be shown" },
    { on: [writeOf(`/ws/${"a".repeat(200)}`)], rule: undefined, because: "too long to read" },
    {
      on: [writeOf("/ws/src/a.ts"), writeOf(`/ws/${"a".repeat(200)}`)],
      rule: undefined,
      because: "one of two is too long to read",
    },
    {
      on: [writeOf("/ws/a/1"), writeOf("/ws/b/2")],
      rule: "Edit(/a/1)\nEdit(/b/2)",
      because: "one rule for each",
    },
    {
      on: ["1", "2", "3", "4"].map((name) => writeOf(`/ws/a/${name}`)),
      rule: "Edit(/a/**)",
      because: "four files of a folder are the folder",
    },
    {
      on: ["1", "2", "3", "4", "5", "6"].map((name) => writeOf(`/ws/${name}/x`)),
      rule: undefined,
      because: "more than five rules nobody reads",
    },
    {
      on: [{ kind: "connect", host: "a.org" }],
      rule: "WebFetch(domain:a.org)",
      because: "the host",
    },
    ...[
      { host: "a.org", port: 443, rule: "WebFetch(domain:a.org)", because: "a port of the web" },
      { host: "a.org", port: 8443, rule: "WebFetch(domain:a.org:8443)", because: "another port" },
      {
        host: "127.0.0.1",
        port: 3000,
        rule: "WebFetch(domain:127.0.0.1:3000)",
        because: "one port of this machine, not each",
      },
      { host: "::1", port: 3000, rule: "WebFetch(domain:[::1]:3000)", because: "IPv6 in brackets" },
    ].map(
      ({ host, port, ...rest }) => ({ on: [{ kind: "connect", host, port }], ...rest }) as const,
    ),
    { on: [unknownOf("AnyTool")], rule: "AnyTool", because: "only the tool is known" },
    { on: [unknownOf("shell")], rule: undefined, because: "nothing names what was not understood" },
    { on: [unknownOf("mcp__x")], rule: undefined, because: "another server's doing" },
    { on: open(["npm", "test"]), rule: "Bash(npm test)", because: "the command" },
    {
      on: open(["npm", "run", "build", "--", "x"]),
      rule: "Bash(npm run build *)",
      because: "program and sub-command",
    },
    {
      on: open(["npm", "run", "build", "--fast", "x"]),
      rule: "Bash(npm run build --fast *)",
      because: "program, sub-command, fixed flags",
    },
    {
      on: open(["git", "commit", "-m", "a b"]),
      rule: "Bash(git commit -m *)",
      because: "the message differs each time",
    },
    {
      on: open(["git", "push", "origin", "main"]),
      rule: "Bash(git push origin main)",
      because: "no star where operands matter",
    },
    {
      on: open(["node", "x.js", "1"]),
      rule: "Bash(node x.js 1)",
      because: "an interpreter is never opened",
    },
    {
      on: open(["rm", "-r", "a b"]),
      rule: 'Bash(rm -r "a b")',
      because: "words keep their spaces",
    },
    {
      on: open(["echo", "*"]),
      rule: String.raw`Bash(echo \*)`,
      because: "a star is a character here",
    },
    { on: open(["echo", ""]), rule: 'Bash(echo "")', because: "an empty word is a word" },
    { on: open(["a:b"]), rule: 'Bash("a:b")', because: "no parameter is meant" },
    { on: open(["a", "b:*"]), rule: String.raw`Bash(a "b:\*")`, because: "no prefix is meant" },
    {
      on: open(["npm", "test"], { via: ["timeout"] }),
      rule: "Bash(npm test)",
      because: "timeout is looked through",
    },
    { on: open(["sudo", "npm", "test"]), rule: undefined, because: "nor for sudo itself" },
    {
      on: open(["npm", "test"], { via: ["sudo"] }),
      rule: undefined,
      because: "nothing is offered behind sudo",
    },
    {
      on: open(["npm", "test"], { assigns: [{ name: "CI", value: "1" }] }),
      rule: "Bash(npm test)",
      because: "a harmless variable is looked past",
    },
    {
      on: open(["npm", "test"], { assigns: [{ name: "PATH", value: "." }] }),
      rule: "Bash(PATH=. npm test)",
      because: "another one is in the rule",
    },
    {
      on: open(["npm", "test"], { assigns: [{ name: "A", value: { dynamic: "$B" } }] }),
      rule: undefined,
      because: "not known before it runs",
    },
    {
      on: [runOf("npm $X"), unknownOf("npm")],
      rule: undefined,
      because: "not known before it runs",
    },
    {
      on: [...open(["npm", "ci"]), ...open(["npm", "test"])],
      rule: "Bash(npm ci)\nBash(npm test)",
      because: "one rule for each command",
    },
    {
      on: [
        runOf("mkdir x", { consequences: "listed" }),
        { ...writeOf("/ws/x"), by: { start: 0, end: 7 } },
      ],
      rule: "Bash(mkdir x)",
      because: "what a program does is answered by its command",
    },
    {
      on: [runOf("echo x", { consequences: "listed" }), writeOf("/ws/x")],
      rule: "Edit(/x)",
      because: "a redirection is answered by its path",
    },
  ] as const)("$rule: $because", ({ on, rule }) => {
    expect(suggested(on)).toBe(rule);
  });

  test("is the tool of a server by its whole name", () => {
    const tool = { name: "mcp__a__b", touches: ["unknown"] } as const;

    expect(suggested([unknownOf("mcp__a")], { tool })).toBe("mcp__a__b");
  });

  test("names the agent where agents are asked about", () => {
    expect(suggested([{ kind: "delegate", agent: "tester" }], { builtIn: [] })).toBe(
      "Agent(tester)",
    );
  });

  test("is not offered where it would not help", () => {
    expect(suggested([writeOf("/ws/a")], { lists: { ask: ["Edit(/a)"] } })).toBeUndefined();
    expect(suggested([writeOf("/ws/.git/config")])).toBeUndefined();
    expect(suggested([runOf("git $X")], { lists: { deny: ["Bash(git push)"] } })).toBeUndefined();
    expect(suggested([{ kind: "interact" }], { builtIn: [] })).toBeUndefined();
  });

  test("is the tool's own where that covers the call", () => {
    const on = [writeOf("/ws/src/a.ts")];

    expect(suggested(on, { suggested: "Edit(/src/**)" })).toBe("Edit(/src/**)");
    expect(suggested(on, { suggested: "Edit(/lib/**)" })).toBe("Edit(/src/a.ts)");
    expect(suggested(on, { suggested: "Edit(" })).toBe("Edit(/src/a.ts)");
    expect(suggested(on, { suggested: `Edit(/src/**)${" ".repeat(200)}` })).toBe("Edit(/src/a.ts)");
  });
});

describe("whether a rule would answer", () => {
  test.each([
    ["Edit(/src/**)", true],
    ["Edit", true],
    ["Edit(/lib/**)", false],
    ["Read(/src/**)", false],
    ["Edit(", false],
    ["*", false],
  ])("%s: %s", (rule, is) => {
    expect(ruleCovers(rule, requestOf([writeOf("/ws/src/a.ts")]))).toBe(is);
  });
});

describe("approve, save, repeat", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9 ._@~*?[\]\\(){}'"$&;|<>!#:,=+-]{1,8}$/u);
  const path = fc
    .tuple(
      fc.constantFrom("/ws", "/ws/src", "/tmp", "/srv/data", home),
      fc.array(
        name.filter((each) => each !== "." && each !== ".."),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([root, names]) => `${root}/${names.join("/")}`);
  const file = path.chain((each) =>
    fc.constantFrom<Effect>(
      readOf(each),
      readOf(each, "tree"),
      writeOf(each),
      writeOf(each, "delete"),
      writeOf(each, "any", "tree"),
    ),
  );
  const command = fc
    .array(
      fc.oneof(name, fc.constantFrom("npm", "git", "run", "commit", "-m", "--x", "*", "a=b")),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .chain((argv) =>
      fc.constantFrom(
        open(argv),
        open(argv, { via: ["nice"] }),
        open(argv, { via: ["sudo"] }),
        open(argv, { assigns: [{ name: "FOO", value: "a b" }] }),
      ),
    );
  const call = fc.oneof(
    fc.array(file, { minLength: 1, maxLength: 6 }),
    fc.array(command, { minLength: 1, maxLength: 3 }).map((each) => each.flat()),
    fc.tuple(file, command).map(([one, more]) => [one, ...more]),
    fc.constantFrom<readonly Effect[]>(
      [{ kind: "connect", host: "a-b.example.com" }],
      [unknownOf("AnyTool")],
      [{ kind: "delegate", agent: "tester" }],
    ),
  );
  const modes = fc.constantFrom<Mode>("default", "acceptEdits", "plan");

  test("asks no more, and says no more than was shown", () => {
    let offered = 0;
    fc.assert(
      fc.property(call, modes, fc.boolean(), (on, mode, isTainted) => {
        const taint = { untrustedSeen: isTainted, privateRead: isTainted };
        const request = requestOf(on, { mode, taint, builtIn: [] });
        const decision = decide(request);
        if (decision.kind !== "ask" || decision.suggestion === undefined) return;
        offered += 1;
        const { suggestion } = decision;
        expect(suggestion.split("\n").every((line) => line.length <= 200)).toBe(true);

        const saved = compileRules([source("allow", suggestion.split("\n"), { scope: "session" })]);

        expect(saved.problems).toEqual([]);
        expect(decide({ ...request, rules: saved.rules }).kind).toBe("allow");
      }),
      { numRuns: runs(2000) },
    );
    expect(offered).toBeGreaterThan(runs(2000) / 4);
  });

  test("an exact command answers no other command", () => {
    const words = fc.array(name, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, words, (left, right) => {
        fc.pre(left.join("\0") !== right.join("\0"));
        const rule = suggested(open(left));
        fc.pre(rule !== undefined && !rule.endsWith(" *)"));
        expect(verdict(open(right), { lists: { allow: [rule] } })).not.toBe("allow");
      }),
      { numRuns: runs(2000) },
    );
  });

  test("an exact path answers no other path", () => {
    fc.assert(
      fc.property(path, path, (left, right) => {
        fc.pre(!right.startsWith(left));
        const rule = suggested([writeOf(left)]);
        fc.pre(rule !== undefined);
        expect(verdict([writeOf(right)], { lists: { allow: [rule] } })).not.toBe("allow");
      }),
      { numRuns: runs(1000) },
    );
  });
});

test("nothing that is asked is offered a rule of the whole family", () => {
  const bare = /^(?:Bash|Edit|Read|WebFetch|Agent)(?:\(\*\))?$/u;
  const on = [
    writeOf("/ws/a"),
    runOf("x"),
    unknownOf("x"),
    { kind: "connect", host: "a" } as const,
  ];

  expect(
    suggested(on)
      ?.split("\n")
      .some((line) => bare.test(line)),
  ).toBe(false);
});

test("rules of another place start at the same folder as the suggestion", () => {
  const request = requestOf([writeOf("/ws/a")], { tool: anyTool, boundary });
  const { rules } = rulesOf({ allow: [suggested([writeOf("/ws/a")])] });

  expect(workspace).toBe("/ws");
  expect(decide({ ...request, rules }).kind).toBe("allow");
});

test.each([
  [["sh"], "it does whatever is written to it"],
  [["python3", "-"], "it does whatever is written to it"],
  [["bash", "-s"], "it does whatever is written to it"],
])("no rule is offered for %j: %s", (argv) => {
  const program = argv[0] ?? "";
  expect(suggested(open(argv), { suggested: `Bash(${argv.join(" ")})` })).toBeUndefined();
  expect(suggested(open([program, "script.x"]))).toBe(`Bash(${program} script.x)`);
});

test("no rule is offered for a host whose name would be a pattern", () => {
  expect(suggested([{ kind: "connect", host: "*.com" }])).toBeUndefined();
});
