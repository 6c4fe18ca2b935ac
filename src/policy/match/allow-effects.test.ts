import { describe, expect, test } from "vitest";
import {
  anyTool,
  readOf,
  requestOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect, ExecuteEffect } from "../../core/index.ts";
import type { Ceiling } from "../decide/request.ts";

const tainted = { taint: { untrustedSeen: true, privateRead: true } };
const bash = { tool: { ...anyTool, name: "Bash" } };

/** A call of one program, with what it does besides running. */
function doing(run: ExecuteEffect, ...others: readonly Effect[]): readonly Effect[] {
  return [run, ...others.map((effect) => ({ ...effect, by: run.span }))];
}

function of(rules: readonly unknown[], effects: readonly Effect[], more = {}): string {
  return verdict(effects, { ...more, lists: { allow: rules } });
}

describe("a bare rule for the tool", () => {
  test("answers for everything its calls do", () => {
    expect(of(["Bash"], [readOf("/etc/hosts")], bash)).toBe("allow");
    expect(of(["Other"], [readOf("/etc/hosts")], bash)).toBe("ask");
  });

  test.each([
    { origin: "AnyTool", tool: "AnyTool", is: "allow", because: "it is the tool itself" },
    { origin: "my_mcp__a", tool: "AnyTool", is: "allow", because: "that is not a server" },
    { origin: "mcp__a", tool: "AnyTool", is: "ask", because: "a server is behind it" },
    { origin: "mcp__a", tool: "mcp__a", is: "allow", because: "the rule names the server" },
    { origin: "mcp__a", tool: "mcp__a__x", is: "allow", because: "or a tool of the server" },
    { origin: "mcp__a", tool: "mcp__ab__x", is: "ask", because: "that is another server" },
    { origin: "mcp__a", tool: "x__mcp__a__x", is: "ask", because: "that is not one of its tools" },
  ])("for $tool and what $origin may do: $is, because $because", ({ origin, tool, is }) => {
    const more = { tool: { ...anyTool, name: tool } };

    expect(of([tool], [unknownOf(origin)], more)).toBe(is);
  });

  test("answers for what a server may do in the modes that it names only", () => {
    const more = { tool: { ...anyTool, name: "mcp__a__x" } };

    expect(of([{ rule: "mcp__a__x", modes: ["plan"] }], [unknownOf("mcp__a")], more)).toBe("ask");
    expect(of([{ rule: "mcp__a__x", modes: ["default"] }], [unknownOf("mcp__a")], more)).toBe(
      "allow",
    );
  });
});

function connect(host: string): Effect {
  return { kind: "connect", host };
}

describe("once private data and untrusted content have met, what could carry data out is named", () => {
  const npm = runOf("npm test");
  const quiet = runOf("npm test", { consequences: "listed" });
  const curl = runOf("curl https://example.com", { consequences: "listed" });

  test.each([
    { rules: ["Bash(npm *)"], on: [npm], is: "allow", because: "the program is named" },
    { rules: ["Bash(n*)"], on: [npm], is: "ask", because: "a star is in its name" },
    { rules: ["Bash(npm *)"], on: [quiet, unknownOf("npm")], is: "allow", because: "as above" },
    { rules: ["Bash(n*)"], on: [quiet, unknownOf("npm")], is: "ask", because: "as above" },
    { rules: ["Bash"], on: [npm], is: "ask", because: "nothing is named" },
    {
      rules: ["WebFetch(domain:example.com)"],
      on: [connect("example.com")],
      is: "allow",
      because: "the host is named",
    },
    {
      rules: ["WebFetch(domain:example.com)"],
      on: [connect("example.org")],
      is: "ask",
      because: "another host is",
    },
    {
      rules: ["WebFetch(domain:*)"],
      on: [connect("example.com")],
      is: "ask",
      because: "no host is",
    },
    {
      rules: [{ rule: "WebFetch(domain:example.com)", modes: ["plan"] }],
      on: [connect("example.com")],
      is: "ask",
      because: "the rule is for another mode",
    },
    {
      rules: ["Bash(curl *)"],
      on: doing(curl, connect("example.com")),
      is: "allow",
      because: "the program that connects is named",
    },
    {
      rules: ["Bash(c*)"],
      on: doing(curl, connect("example.com")),
      is: "ask",
      because: "a star is in its name",
    },
  ])("$rules for $on: $is, because $because", ({ rules, on, is }) => {
    expect(of(rules, on, { ...bash, ...tainted })).toBe(is);
  });

  test("and before that any rule that matches is enough", () => {
    expect(of(["Bash(n*)"], [npm], bash)).toBe("allow");
    expect(of(["Bash(n*)"], [quiet, unknownOf("npm")], bash)).toBe("allow");
    expect(of(["WebFetch(domain:*)"], [connect("example.com")], bash)).toBe("allow");
    expect(of(["Bash(c*)"], doing(curl, connect("example.com")), bash)).toBe("allow");
  });
});

describe("a rule for a command", () => {
  const sed = runOf("sed -i s/a/b/ a", { consequences: "listed" });
  const inPlace = { ...writeOf("/ws/a"), through: "-i" };

  test.each([
    { rules: [], is: "ask", because: "no rule names the program" },
    { rules: ["Bash(sed *)"], is: "ask", because: "the option is not named" },
    { rules: ["Bash(sed -i *)"], is: "allow", because: "the option is named" },
    { rules: ["Bash(sed -i s/a/b/ a)"], is: "allow", because: "the whole command is spelled" },
    { rules: ["Bash(sed *)", "Bash(sed -i *)"], is: "allow", because: "one of them names it" },
    {
      rules: ["Bash(sed *)", { rule: "Bash(sed -i *)", modes: ["plan"] }],
      is: "ask",
      because: "the one that names it is for another mode",
    },
  ])("$rules and what an option writes: $is, because $because", ({ rules, is }) => {
    expect(of(rules, doing(sed, inPlace))).toBe(is);
  });

  test("that spells the whole command answers for an option among others", () => {
    const among = runOf("sed -ni x a", { consequences: "listed" });

    expect(of(["Bash(sed -ni x a)"], doing(among, inPlace))).toBe("allow");
    expect(of(["Bash(sed -ni *)"], doing(among, inPlace))).toBe("ask");
  });

  test("that names an option of what a launcher starts answers for what the option writes", () => {
    const outer = runOf("docker exec web sed -i x a", { span: { start: 0, end: 26 } });
    const inner = runOf("sed -i x a", { via: ["docker exec"], span: { start: 16, end: 26 } });
    const effects = [outer, ...doing(inner, inPlace)];

    expect(of(["Bash(docker exec web sed -i *)"], effects)).toBe("allow");
    expect(of(["Bash(docker exec web *)"], effects)).toBe("ask");
  });

  test("holds for what one of several programs may do where each of them is named", () => {
    const effects = [runOf("npm test"), runOf("npm ci", { consequences: "listed" })];
    const both = [...effects, unknownOf("npm")];

    expect(of(["Bash(npm test)"], both)).toBe("ask");
    expect(of(["Bash(npm test)", "Bash(npm ci)"], both)).toBe("allow");
  });

  test("with a star lets find read in the workspace and write nothing", () => {
    const find = runOf("find . -fprint out", { consequences: "listed" });
    const ceilings: readonly Ceiling[] = [
      {
        kind: "only",
        name: "finder",
        rules: requestOf([], { lists: { allow: ["Bash(find *)"] } }).rules,
      },
    ];

    expect(verdict(doing(find, readOf("/ws", "tree")), { ceilings })).toBe("allow");
    expect(verdict(doing(find, writeOf("/ws/out")), { ceilings, mode: "acceptEdits" })).toBe(
      "deny",
    );
  });

  test.each([
    { rule: "Bash(cp *)", is: "ask", because: "a star does not name the file" },
    { rule: "Bash(cp a /other/a)", is: "allow", because: "the whole command is spelled" },
  ])("$rule and a file outside: $is, because $because", ({ rule, is }) => {
    const copy = runOf("cp a /other/a", { consequences: "listed" });

    expect(of([rule], doing(copy, writeOf("/other/a")))).toBe(is);
  });

  test("that spells the link by which a file outside is reached answers for the file", () => {
    const copy = runOf("cp a /ws/link/a", { consequences: "listed" });
    const requested = new Map([["/other/a", ["/ws/link/a"]]]);
    const effects = doing(copy, writeOf("/other/a"));

    expect(of(["Bash(cp a /ws/link/a)"], effects, { requested })).toBe("allow");
    expect(of(["Bash(cp a /ws/link/a)"], effects)).toBe("ask");
  });
});

describe("git's own folder", () => {
  const git = runOf("git init", { consequences: "listed" });
  const folder = writeOf("/ws/.git", "any", "tree");
  const rules = ["Bash(git init)", "Bash(sh init)", "Edit"];

  test("is git's to keep where a rule names the git command, and no other program's", () => {
    const other = runOf("sh init", { consequences: "listed" });
    const elsewhere = { ...folder, by: { start: 100, end: 101 } };

    expect(of(rules, doing(git, folder))).toBe("allow");
    expect(of(["Edit"], doing(git, folder))).toBe("ask");
    expect(of(rules, doing(other, folder))).toBe("ask");
    expect(of(rules, [git, folder])).toBe("ask");
    expect(of(rules, [git, elsewhere])).toBe("ask");
  });
});
