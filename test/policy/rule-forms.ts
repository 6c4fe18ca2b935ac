import type { Effect } from "../../src/core/index.ts";
import type { PolicyTool, RuleList } from "../../src/policy/index.ts";
import { commandRuleForms } from "./command-rule-forms.ts";
import { home, readOf, unknownOf, writeOf } from "./policy-world.ts";
import { claims, open, type RuleForm } from "./rule-form.ts";

const outside = "/etc/hosts";

function connectTo(host: string): Effect {
  return { kind: "connect", host };
}

function delegateTo(agent: string): Effect {
  return { kind: "delegate", agent };
}

const paths: readonly RuleForm[] = [
  ...claims("//abs", "allow", {
    matches: [
      ["Read(//etc/hosts)", readOf(outside), "two slashes start at the file system root"],
      ["Edit(//tmp/out/**)", writeOf("/tmp/out/a/b"), "two stars match everything below"],
    ],
    not: [
      ["Read(//etc/hosts)", readOf("/etc/hosts.allow"), "path components are compared as a whole"],
      ["Read(//etc/hosts)", readOf("/srv/etc/hosts"), "the pattern starts at a fixed directory"],
      ["Read(//etc/hosts)", writeOf(outside), "a Read rule allows no write"],
    ],
  }),
  ...claims("~/home", "allow", {
    matches: [["Read(~/notes/*.md)", readOf(`${home}/notes/a.md`), "~ is the home directory"]],
    not: [
      ["Read(~/notes/*.md)", readOf(`${home}/notes/x/a.md`), "one star does not match a slash"],
      ["Read(~/notes/*.md)", readOf("/home/eve/notes/a.md"), "only this user's home directory"],
    ],
  }),
  ...claims("/from the settings directory", "allow", {
    matches: [
      ["Edit(/src/**)", writeOf("/ws/src/a.ts"), "one slash starts at the project"],
      ["Edit(/src)", writeOf("/ws/src/a/b.ts"), "a directory covers its content"],
      ["Edit(/)", writeOf("/ws/a"), "a slash alone is the project"],
    ],
    not: [
      ["Edit(/src/**)", writeOf("/ws/lib/src/a.ts"), "the pattern starts at a fixed directory"],
      ["Edit(/src/**)", writeOf("/src/a.ts"), "one slash is not the file system root"],
    ],
  }),
  ...claims("./rel", "allow", {
    matches: [["Edit(./src/*.ts)", writeOf("/ws/src/a.ts"), "a dot is the working directory"]],
    not: [["Edit(./a.ts)", writeOf("/ws/src/a.ts"), "only in that directory"]],
  }),
  ...claims("../rel", "allow", {
    matches: [["Edit(../other/a.ts)", writeOf("/other/a.ts"), "two dots are the parent directory"]],
    not: [["Edit(../other/a.ts)", writeOf("/ws/other/a.ts"), "and nothing below the workspace"]],
  }),
  ...claims("bare name", "deny", {
    matches: [
      ["Read(.env)", readOf("/ws/.env"), "the file with this name"],
      ["Read(.env)", readOf("/ws/a/b/.env"), "at any depth"],
      ["Read(secrets)", readOf("/ws/a/secrets/key"), "a directory covers its content"],
    ],
    not: [
      ["Read(.env)", readOf("/ws/.env.example"), "names are compared as a whole"],
      ["Read(.env)", readOf("/ws/xenv"), "a dot is literal"],
    ],
  }),
  ...claims("bare name", "allow", {
    matches: [["Edit(notes.md)", writeOf("/ws/a/notes.md"), "also at any depth"]],
    not: [["Edit(notes.md)", writeOf("/other/notes.md"), "only below the working directory"]],
  }),
  ...claims("src/** (allow)", "allow", {
    matches: [["Edit(src/**)", writeOf("/ws/src/a/b.ts"), "a slash inside anchors the pattern"]],
    not: [
      ["Edit(src/**)", writeOf("/ws/lib/src/a.ts"), "so no other src matches"],
      ["Edit(src/**)", writeOf("/ws/src"), "src/** does not match src itself"],
    ],
  }),
  ...claims("src/** (deny)", "deny", {
    matches: [
      ["Edit(src/**)", writeOf("/ws/src/a.ts"), "this directory"],
      [
        "Edit(src/**)",
        writeOf("/ws/lib/src/a.ts"),
        "and at any depth: in doubt a deny rule applies",
      ],
    ],
    not: [["Edit(src/**)", writeOf("/ws/source/a.ts"), "path components are compared as a whole"]],
  }),
  ...claims("trailing slash", "deny", {
    matches: [
      ["Read(secrets/)", readOf("/ws/secrets/a"), "the content of the directory"],
      ["Read(secrets/)", readOf("/ws/secrets"), "and the directory: in doubt a deny rule applies"],
    ],
    not: [["Read(secrets/)", readOf("/ws/secret/a"), "names are compared as a whole"]],
  }),
  ...claims("trailing slash", "allow", {
    matches: [["Edit(/out/)", writeOf("/ws/out/a"), "the content of the directory"]],
    not: [["Edit(/out/)", writeOf("/ws/out"), "a file of that name is not the directory"]],
  }),
];

const coverage: readonly RuleForm[] = [
  ...claims("Edit covers every write", "deny", {
    matches: [
      ["Edit(/src/**)", writeOf("/ws/src/a", "create"), "creating a file is a write"],
      ["Edit(/src/**)", writeOf("/ws/src/a", "delete"), "so is deleting it"],
      ["Edit(/src/**)", writeOf("/ws/src", "delete", "tree"), "so is deleting the tree"],
      ["Write(/src/**)", writeOf("/ws/src/a"), "Write(p) is read as Edit(p)"],
      ["NotebookEdit(/src/**)", writeOf("/ws/src/a.ipynb"), "so is NotebookEdit(p)"],
      ["MultiEdit(/src/**)", writeOf("/ws/src/a"), "so is an alias of the tool"],
    ],
    not: [["Edit(/src/**)", readOf("/ws/src/a"), "reading is not editing"]],
  }),
  ...claims("Read covers every read", "deny", {
    matches: [
      ["Read(/secrets/**)", readOf("/ws/secrets/a"), "whichever tool reads"],
      ["Grep(/secrets/**)", readOf("/ws/secrets/a"), "Grep(p) is read as Read(p)"],
      ["Glob(/secrets/**)", readOf("/ws/secrets", "tree"), "the whole tree is the named path"],
      [
        "Read(/secrets/**)",
        writeOf("/ws/secrets/a"),
        "a path that may not be read may not be replaced",
      ],
      ["FileRead(/secrets/**)", readOf("/ws/secrets/a"), "an alias of the tool"],
      ["read(/secrets/**)", readOf("/ws/secrets/a"), "in other letter case"],
    ],
    not: [["Read(/secrets/**)", readOf("/ws/public/a"), "another directory"]],
  }),
  ...claims("Read (ask)", "ask", {
    matches: [["Read(/private/**)", readOf("/ws/private/a"), "reading is asked about"]],
    not: [["Read(/private/**)", readOf("/ws/public/a"), "another directory is not"]],
  }),
  ...claims("bare family name", "deny", {
    matches: [
      ["Read", readOf("/ws/a"), "every read of every tool"],
      ["Edit", writeOf("/ws/a"), "every write of every tool"],
      ["Bash", open("ls"), "every program of every tool"],
      ["Bash(*)", open("ls"), "a star alone is the same"],
      ["WebFetch", connectTo("example.com"), "every connection of every tool"],
      ["Agent", delegateTo("reviewer"), "every agent"],
      ["Task", delegateTo("reviewer"), "an older name of the tool"],
    ],
    not: [
      ["Read", connectTo("example.com"), "another kind of effect"],
      ["Edit", readOf("/ws/a"), "reading is not editing"],
      ["Write", writeOf("/ws/a"), "Write alone is the tool of that name"],
    ],
  }),
  ...claims("bare family name", "allow", {
    matches: [
      ["Read", readOf(outside), "every read"],
      ["Edit", writeOf("/ws/a"), "every write"],
      ["Bash", open("anything --at all"), "every program"],
      ["WebFetch", connectTo("example.com"), "every connection"],
    ],
    not: [
      ["Edit", writeOf("/ws/.git/config"), "no rule allows protected paths"],
      ["Read", writeOf("/ws/a"), "another kind of effect"],
    ],
  }),
];

const others: readonly RuleForm[] = [
  ...claims("WebFetch(domain:host)", "allow", {
    matches: [
      ["WebFetch(domain:example.com)", connectTo("example.com"), "the host"],
      [
        "WebFetch(domain:Example.COM)",
        connectTo("EXAMPLE.com."),
        "letter case and a trailing dot do not matter",
      ],
      [
        "WebFetch(domain:*.example.com)",
        connectTo("a.b.example.com"),
        "a leading star matches any depth",
      ],
      [
        "WebFetch(domain:api-*.example.com)",
        connectTo("api-1.example.com"),
        "a star inside a label",
      ],
      ["WebFetch(domain:*)", connectTo("example.com"), "every host"],
    ],
    not: [
      ["WebFetch(domain:example.com)", connectTo("a.example.com"), "a subdomain is another host"],
      [
        "WebFetch(domain:example.com)",
        connectTo("badexample.com"),
        "labels are compared as a whole",
      ],
      ["WebFetch(domain:example.com)", connectTo("example.com.evil.net"), "the end must match"],
      [
        "WebFetch(domain:*.example.com)",
        connectTo("example.com"),
        "the star matches at least one label",
      ],
      [
        "WebFetch(domain:api-*.example.com)",
        connectTo("api-1.x.example.com"),
        "a star does not match a dot",
      ],
    ],
  }),
  ...claims("WebFetch(domain:host)", "deny", {
    matches: [["WebFetch(domain:*.evil.net)", connectTo("x.evil.net"), "any tool that connects"]],
    not: [["WebFetch(domain:*.evil.net)", connectTo("good.net"), "another host"]],
  }),
  ...claims("Agent(name)", "deny", {
    matches: [
      ["Agent(reviewer)", delegateTo("reviewer"), "the agent with that name"],
      ["Task(reviewer)", delegateTo("reviewer"), "an older name of the tool"],
    ],
    not: [["Agent(reviewer)", delegateTo("reviewer2"), "names are compared as a whole"]],
  }),
];

const skill: PolicyTool = { name: "Skill", touches: ["unknown"] };
const agent: PolicyTool = { name: "Agent", touches: ["delegate"] };
const bash: PolicyTool = { name: "Bash", touches: ["execute", "unknown"] };
const mcp: PolicyTool = {
  name: "mcp__github__get_issue",
  touches: ["unknown"],
  source: { id: "github", name: "GitHub", kind: "mcp" },
};
const named: PolicyTool = { name: "Deploy", aliases: ["Ship"], touches: ["unknown"] };
const fromServer: readonly Effect[] = [unknownOf("mcp__github")];

type CallClaim = readonly [list: RuleList, rule: string, input: unknown, because: string];

function calls(
  form: string,
  world: { readonly tool: PolicyTool; readonly on: readonly Effect[] },
  both: { readonly matches: readonly CallClaim[]; readonly not: readonly CallClaim[] },
): readonly RuleForm[] {
  const make =
    (matches: boolean) =>
    (claim: CallClaim): RuleForm => {
      const [list, rule, input, because] = claim;
      return { form, list, rule, input, ...world, matches, because };
    };
  return [...both.matches.map(make(true)), ...both.not.map(make(false))];
}

const callForms: readonly RuleForm[] = [
  ...calls(
    "Skill(name)",
    { tool: skill, on: [unknownOf("Skill")] },
    {
      matches: [
        ["deny", "Skill(deploy)", { skill: "deploy" }, "the skill with that name"],
        ["allow", "Skill(deploy)", { skill: "deploy" }, "the skill with that name"],
        ["allow", "Skill(deploy *)", { skill: "deploy", args: "prod" }, "with any arguments"],
        ["allow", "Skill(deploy *)", { skill: "deploy" }, "and without arguments"],
        ["deny", "Skill(deploy:*)", { name: "deploy" }, "the older syntax"],
        [
          "deny",
          "Skill(deploy)",
          { skill: "deploy", args: "prod" },
          "a deny rule applies with any arguments",
        ],
      ],
      not: [
        [
          "allow",
          "Skill(deploy)",
          { skill: "deploy", args: "prod" },
          "arguments are more than the name",
        ],
        ["deny", "Skill(deploy)", { skill: "deployer" }, "names are compared as a whole"],
        ["allow", "Skill(deploy *)", { skill: "deployer" }, "the space is a boundary"],
      ],
    },
  ),
  ...calls(
    "Tool(param:value)",
    { tool: agent, on: [] },
    {
      matches: [
        ["deny", "Agent(isolation:worktree)", { isolation: "worktree" }, "the value of the input"],
        [
          "deny",
          "Agent(isolation: work*)",
          { isolation: "worktree" },
          "spaces do not matter, stars match",
        ],
        ["ask", "Agent(background:true)", { background: true }, "other values as in JSON"],
        ["deny", "Agent(turns:5)", { turns: 5 }, "numbers too"],
        [
          "deny",
          "Task(isolation:worktree)",
          { isolation: "worktree" },
          "an older name of the tool",
        ],
      ],
      not: [
        ["deny", "Agent(isolation:worktree)", {}, "a missing input never matches"],
        ["deny", "Agent(isolation:worktree)", { isolation: "none" }, "another value"],
        ["deny", "Agent(isolation:*)", { isolation: { a: 1 } }, "only plain values are compared"],
        ["deny", "Bash(isolation:worktree)", { isolation: "worktree" }, "another tool"],
      ],
    },
  ),
  ...calls(
    "Bash(param:value)",
    { tool: bash, on: open("ls") },
    {
      matches: [
        [
          "deny",
          "Bash(dangerouslyDisableSandbox:true)",
          { dangerouslyDisableSandbox: true },
          "a parameter, not a command",
        ],
      ],
      not: [
        ["deny", "Bash(dangerouslyDisableSandbox:true)", { command: "ls" }, "the input is missing"],
      ],
    },
  ),
  ...calls(
    "Read(param:value)",
    { tool: { name: "Read", touches: ["read"] }, on: [readOf(outside)] },
    {
      matches: [["deny", "Read(pages:*)", { pages: "1-5" }, "inputs are compared in deny lists"]],
      not: [["allow", "Read(pages:1-5)", { pages: "1-5" }, "and never in allow lists"]],
    },
  ),
  ...calls(
    "mcp__server",
    { tool: mcp, on: fromServer },
    {
      matches: [
        ["deny", "mcp__github", {}, "the whole server"],
        ["allow", "mcp__github", {}, "the whole server"],
        ["allow", "mcp__github__*", {}, "the same with a star"],
        ["allow", "mcp__github__get_issue", {}, "one tool of the server"],
        ["allow", "mcp__github__get_*", {}, "tools of the server by pattern"],
        ["deny", "mcp__*", {}, "every server"],
        ["deny", "*", {}, "every tool"],
        ["ask", "mcp__*__get_*", {}, "stars anywhere in deny and ask rules"],
      ],
      not: [
        ["deny", "mcp__git", {}, "names are compared as a whole"],
        ["allow", "mcp__gitlab", {}, "another server"],
        ["allow", "mcp__github__get", {}, "another tool"],
        ["allow", "mcp__*", {}, "an allow rule must name its server"],
        ["allow", "*", {}, "an allow rule must name its tool"],
        ["allow", "mcp__git*", {}, "and name it in full"],
      ],
    },
  ),
  ...calls(
    "tool name",
    { tool: named, on: [unknownOf("Deploy")] },
    {
      matches: [
        ["deny", "Deploy", {}, "the tool"],
        ["allow", "Deploy", {}, "the tool, including its unknown effects"],
        ["deny", "Ship", {}, "a deny rule applies to aliases too"],
        ["deny", "De*", {}, "stars in deny and ask rules"],
      ],
      not: [
        ["deny", "Deployer", {}, "names are compared as a whole"],
        ["allow", "Ship", {}, "an alias grants nothing"],
        ["allow", "De*", {}, "no stars in allow rules"],
      ],
    },
  ),
];

export const ruleForms: readonly RuleForm[] = [
  ...paths,
  ...coverage,
  ...commandRuleForms,
  ...others,
  ...callForms,
];
