import { describe, expect, test } from "vitest";
import type { Effect, ExecuteEffect, Span } from "../../core/index.ts";
import { runOf, verdict, writeOf } from "../../../test/policy/policy-world.ts";

const at = (start: number, end: number): Span => ({ start, end });

function launched(text: string, via: readonly string[], span: Span): ExecuteEffect {
  return runOf(text, { via, span });
}

const of = (rule: string, effects: readonly Effect[]): string =>
  verdict(effects, { lists: { allow: [rule] } });

describe("what a named launcher starts is named with it", () => {
  const outer = launched("docker exec web npm test", [], at(0, 24));
  const inner = launched("npm test", ["docker exec"], at(16, 24));

  test.each([
    { rule: "Bash(docker exec web *)", is: "allow", because: "the rule names the outer words" },
    { rule: "Bash(docker exec web npm test)", is: "allow", because: "or spells them" },
    { rule: "Bash(docker exec db *)", is: "ask", because: "another container" },
    { rule: "Bash(npm test)", is: "ask", because: "what is inside says nothing about outside" },
  ])("$rule: $is, $because", ({ rule, is }) => {
    expect(of(rule, [outer, inner])).toBe(is);
  });

  test("with what the inner program writes", () => {
    const write = { ...writeOf("/ws/out"), by: inner.span };

    expect(of("Bash(docker exec web *)", [outer, inner, write])).toBe("allow");
    expect(of("Bash(docker exec db *)", [outer, inner, write])).toBe("ask");
  });

  test.each(["watch", "setsid", "ionice", "flock", "find"])(
    "never by a star for %s, and always by its whole text",
    (name) => {
      const starter = launched(`${name} x npm test`, [], at(0, 20));
      const started = launched("npm test", [name], at(8, 20));

      expect(of(`Bash(${name} *)`, [starter, started])).toBe("ask");
      expect(of(`Bash(${name} x npm test)`, [starter, started])).toBe("allow");
    },
  );

  test("two launchers deep", () => {
    const chain = [
      launched("docker exec web su npm test", [], at(0, 28)),
      launched("su npm test", ["docker exec"], at(16, 28)),
      launched("npm test", ["docker exec", "su"], at(19, 28)),
    ];

    expect(of("Bash(docker exec web *)", chain)).toBe("allow");
    expect(of("Bash(docker exec db *)", chain)).toBe("ask");
  });
});

describe("nothing else is", () => {
  const outer = launched("timeout 5 a", [], at(0, 40));
  const inner = launched("a", ["timeout"], at(10, 11));

  test("a command in a substitution is in the text of another, but is not started by it", () => {
    const held = launched("b", [], at(15, 38));

    expect(of("Bash(timeout 5 a)", [outer, inner])).toBe("allow");
    expect(of("Bash(timeout 5 a)", [outer, inner, held])).toBe("ask");
  });

  test("nor is what a launcher in a substitution starts", () => {
    const second = launched("timeout 5 b", [], at(15, 38));
    const held = launched("b", ["timeout"], at(25, 38));

    expect(
      of("Bash(timeout 5 a)", [outer, inner, { ...second, consequences: "listed" }, held]),
    ).toBe("ask");
  });

  test("nor what is next to a launcher, or at the very same position", () => {
    expect(of("Bash(timeout 5 a)", [outer, inner, launched("b", ["timeout"], at(50, 60))])).toBe(
      "ask",
    );
    expect(of("Bash(timeout 5 a)", [outer, launched("b", ["timeout"], outer.span)])).toBe("ask");
    expect(of("Bash(timeout 5 a)", [outer, launched("b", ["sudo", "timeout"], at(10, 11))])).toBe(
      "ask",
    );
  });
});
