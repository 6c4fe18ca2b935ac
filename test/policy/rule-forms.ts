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
      ["Read(//etc/hosts)", readOf(outside), "two slashes start at the root"],
      ["Edit(//tmp/out/**)", writeOf("/tmp/out/a/b"), "everything below is meant"],
    ],
    not: [
      ["Read(//etc/hosts)", readOf("/etc/hosts.allow"), "components are compared whole"],
      ["Read(//etc/hosts)", readOf("/srv/etc/hosts"), "the start is fixed"],
      ["Read(//etc/hosts)", writeOf(outside), "a Read rule allows no write"],
    ],
  }),
  ...claims("~/home", "allow", {
    matches: [["Read(~/notes/*.md)", readOf(`${home}/notes/a.md`), "~ is the home folder"]],
    not: [
      ["Read(~/notes/*.md)", readOf(`${home}/notes/x/a.md`), "one star stays in its folder"],
      ["Read(~/notes/*.md)", readOf("/home/eve/notes/a.md"), "only this person's home"],
    ],
  }),
  ...claims("/from the settings folder", "allow", {
    matches: [
      ["Edit(/src/**)", writeOf("/ws/src/a.ts"), "one slash starts at the project"],
      ["Edit(/src)", writeOf("/ws/src/a/b.ts"), "a folder covers what is in it"],
      ["Edit(/)", writeOf("/ws/a"), "the slash alone is the project"],
    ],
    not: [
      ["Edit(/src/**)", writeOf("/ws/lib/src/a.ts"), "the start is fixed"],
      ["Edit(/src/**)", writeOf("/src/a.ts"), "it is not the root of the machine"],
    ],
  }),
  ...claims("./rel", "allow", {
    matches: [["Edit(./src/*.ts)", writeOf("/ws/src/a.ts"), "a dot is the working folder"]],
    not: [["Edit(./a.ts)", writeOf("/ws/src/a.ts"), "it holds in that folder only"]],
  }),
  ...claims("../rel", "allow", {
    matches: [["Edit(../other/a.ts)", writeOf("/other/a.ts"), "two dots go up"]],
    not: [["Edit(../other/a.ts)", writeOf("/ws/other/a.ts"), "and not down"]],
  }),
  ...claims("bare name", "deny", {
    matches: [
      ["Read(.env)", readOf("/ws/.env"), "it names the file"],
      ["Read(.env)", readOf("/ws/a/b/.env"), "at any depth"],
      ["Read(secrets)", readOf("/ws/a/secrets/key"), "a folder covers what is in it"],
    ],
    not: [
      ["Read(.env)", readOf("/ws/.env.example"), "names are compared whole"],
      ["Read(.env)", readOf("/ws/xenv"), "a dot is a dot"],
    ],
  }),
  ...claims("bare name", "allow", {
    matches: [["Edit(notes.md)", writeOf("/ws/a/notes.md"), "at any depth here too"]],
    not: [["Edit(notes.md)", writeOf("/other/notes.md"), "below the working folder only"]],
  }),
  ...claims("src/** (allow)", "allow", {
    matches: [["Edit(src/**)", writeOf("/ws/src/a/b.ts"), "a slash inside fixes the start"]],
    not: [
      ["Edit(src/**)", writeOf("/ws/lib/src/a.ts"), "so no other src is meant"],
      ["Edit(src/**)", writeOf("/ws/src"), "what is inside is not the folder itself"],
    ],
  }),
  ...claims("src/** (deny)", "deny", {
    matches: [
      ["Edit(src/**)", writeOf("/ws/src/a.ts"), "the folder here"],
      ["Edit(src/**)", writeOf("/ws/lib/src/a.ts"), "and at any depth: doubt forbids"],
    ],
    not: [["Edit(src/**)", writeOf("/ws/source/a.ts"), "components are compared whole"]],
  }),
  ...claims("trailing slash", "deny", {
    matches: [
      ["Read(secrets/)", readOf("/ws/secrets/a"), "what lies in the folder"],
      ["Read(secrets/)", readOf("/ws/secrets"), "and the folder: doubt forbids"],
    ],
    not: [["Read(secrets/)", readOf("/ws/secret/a"), "names are compared whole"]],
  }),
  ...claims("trailing slash", "allow", {
    matches: [["Edit(/out/)", writeOf("/ws/out/a"), "what lies in the folder"]],
    not: [["Edit(/out/)", writeOf("/ws/out"), "a file of that name is not the folder"]],
  }),
];

const coverage: readonly RuleForm[] = [
  ...claims("Edit covers every write", "deny", {
    matches: [
      ["Edit(/src/**)", writeOf("/ws/src/a", "create"), "making a file changes it"],
      ["Edit(/src/**)", writeOf("/ws/src/a", "delete"), "so does removing it"],
      ["Edit(/src/**)", writeOf("/ws/src", "delete", "tree"), "and removing all of it"],
      ["Write(/src/**)", writeOf("/ws/src/a"), "Write(p) is read as Edit(p)"],
      ["NotebookEdit(/src/**)", writeOf("/ws/src/a.ipynb"), "so is NotebookEdit(p)"],
      ["MultiEdit(/src/**)", writeOf("/ws/src/a"), "so is another name of it"],
    ],
    not: [["Edit(/src/**)", readOf("/ws/src/a"), "reading is not editing"]],
  }),
  ...claims("Read covers every read", "deny", {
    matches: [
      ["Read(/secrets/**)", readOf("/ws/secrets/a"), "whatever the tool is called"],
      ["Grep(/secrets/**)", readOf("/ws/secrets/a"), "Grep(p) is read as Read(p)"],
      ["Glob(/secrets/**)", readOf("/ws/secrets", "tree"), "the whole tree is what it names"],
      ["Read(/secrets/**)", writeOf("/ws/secrets/a"), "what must not be read is not replaced"],
      ["FileRead(/secrets/**)", readOf("/ws/secrets/a"), "another name of it"],
      ["read(/secrets/**)", readOf("/ws/secrets/a"), "other letter case"],
    ],
    not: [["Read(/secrets/**)", readOf("/ws/public/a"), "another folder"]],
  }),
  ...claims("Read (ask)", "ask", {
    matches: [["Read(/private/**)", readOf("/ws/private/a"), "reading is asked about"]],
    not: [["Read(/private/**)", readOf("/ws/public/a"), "another folder is not"]],
  }),
  ...claims("bare family name", "deny", {
    matches: [
      ["Read", readOf("/ws/a"), "every read of every tool"],
      ["Edit", writeOf("/ws/a"), "every write of every tool"],
      ["Bash", open("ls"), "every program of every tool"],
      ["Bash(*)", open("ls"), "the star is the same"],
      ["WebFetch", connectTo("example.com"), "every connection of every tool"],
      ["Agent", delegateTo("reviewer"), "every agent"],
      ["Task", delegateTo("reviewer"), "an older name of it"],
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
      ["Edit", writeOf("/ws/.git/config"), "protected paths are asked about all the same"],
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
        "case and a last dot mean nothing",
      ],
      [
        "WebFetch(domain:*.example.com)",
        connectTo("a.b.example.com"),
        "a leading star is any depth",
      ],
      ["WebFetch(domain:api-*.example.com)", connectTo("api-1.example.com"), "a star in a label"],
      ["WebFetch(domain:*)", connectTo("example.com"), "every host"],
    ],
    not: [
      ["WebFetch(domain:example.com)", connectTo("a.example.com"), "a name below is another"],
      ["WebFetch(domain:example.com)", connectTo("badexample.com"), "labels are compared whole"],
      ["WebFetch(domain:example.com)", connectTo("example.com.evil.net"), "the end counts"],
      [
        "WebFetch(domain:*.example.com)",
        connectTo("example.com"),
        "the star is at least one label",
      ],
      [
        "WebFetch(domain:api-*.example.com)",
        connectTo("api-1.x.example.com"),
        "a star stays in its label",
      ],
    ],
  }),
  ...claims("WebFetch(domain:host)", "deny", {
    matches: [["WebFetch(domain:*.evil.net)", connectTo("x.evil.net"), "any tool that connects"]],
    not: [["WebFetch(domain:*.evil.net)", connectTo("good.net"), "another host"]],
  }),
  ...claims("Agent(name)", "deny", {
    matches: [
      ["Agent(reviewer)", delegateTo("reviewer"), "the agent of that name"],
      ["Task(reviewer)", delegateTo("reviewer"), "an older name of the tool"],
    ],
    not: [["Agent(reviewer)", delegateTo("reviewer2"), "names are compared whole"]],
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
        ["deny", "Skill(deploy)", { skill: "deploy" }, "the skill of that name"],
        ["allow", "Skill(deploy)", { skill: "deploy" }, "the skill of that name"],
        ["allow", "Skill(deploy *)", { skill: "deploy", args: "prod" }, "whatever it is given"],
        ["allow", "Skill(deploy *)", { skill: "deploy" }, "and without"],
        ["deny", "Skill(deploy:*)", { name: "deploy" }, "the older spelling"],
        [
          "deny",
          "Skill(deploy)",
          { skill: "deploy", args: "prod" },
          "a deny holds whatever it is given",
        ],
      ],
      not: [
        ["allow", "Skill(deploy)", { skill: "deploy", args: "prod" }, "more than the name"],
        ["deny", "Skill(deploy)", { skill: "deployer" }, "names are compared whole"],
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
          "spaces mean nothing, stars match",
        ],
        ["ask", "Agent(background:true)", { background: true }, "other values as JSON writes them"],
        ["deny", "Agent(turns:5)", { turns: 5 }, "numbers too"],
        [
          "deny",
          "Task(isolation:worktree)",
          { isolation: "worktree" },
          "an older name of the tool",
        ],
      ],
      not: [
        ["deny", "Agent(isolation:worktree)", {}, "what is left out never matches"],
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
          "a parameter, no command",
        ],
      ],
      not: [
        ["deny", "Bash(dangerouslyDisableSandbox:true)", { command: "ls" }, "it was not given"],
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
        ["allow", "mcp__github__*", {}, "the same, spelled out"],
        ["allow", "mcp__github__get_issue", {}, "one tool of it"],
        ["allow", "mcp__github__get_*", {}, "tools of it by pattern"],
        ["deny", "mcp__*", {}, "every server"],
        ["deny", "*", {}, "every tool"],
        ["ask", "mcp__*__get_*", {}, "stars anywhere in deny and ask"],
      ],
      not: [
        ["deny", "mcp__git", {}, "names are compared whole"],
        ["allow", "mcp__gitlab", {}, "another server"],
        ["allow", "mcp__github__get", {}, "another tool"],
        ["allow", "mcp__*", {}, "an allow rule names its server"],
        ["allow", "*", {}, "an allow rule names its tool"],
        ["allow", "mcp__git*", {}, "in full"],
      ],
    },
  ),
  ...calls(
    "tool name",
    { tool: named, on: [unknownOf("Deploy")] },
    {
      matches: [
        ["deny", "Deploy", {}, "the tool"],
        ["allow", "Deploy", {}, "the tool, with what it alone can know"],
        ["deny", "Ship", {}, "a deny holds for other names of it"],
        ["deny", "De*", {}, "stars in deny and ask"],
      ],
      not: [
        ["deny", "Deployer", {}, "names are compared whole"],
        ["allow", "Ship", {}, "a name a tool gives itself grants nothing"],
        ["allow", "De*", {}, "no stars in allow"],
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
