import * as fc from "fast-check";
import { expect, test } from "vitest";
import { namedTool } from "../../test/registry/named-tool.ts";
import { createRegistry, type Registry } from "./registry.ts";

// Names that collide often, in every way in which names can collide.
const someName = fc.constantFrom("Read", "read", "re_ad", "Write", "Grep", "WRITE", "a.b", "a_b");
const step = fc.oneof(
  fc.record({
    kind: fc.constant("register" as const),
    name: someName,
    aliases: fc.array(someName, { maxLength: 2 }),
    override: fc.boolean(),
    scope: fc.constantFrom(undefined, "one", "two"),
  }),
  fc.record({ kind: fc.constant("unregister" as const), name: someName }),
  fc.record({ kind: fc.constant("toggle" as const), name: someName, enabled: fc.boolean() }),
  fc.record({ kind: fc.constant("dispose" as const), scope: fc.constantFrom("one", "two") }),
);

test("whatever happens, each name has one tool, lists agree with look-ups, and listeners can follow", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const followed = new Set<string>();
      const registry = createRegistry({
        onChange({ added, removed, changed }) {
          for (const name of added) expect(followed.has(name)).toBe(false);
          for (const name of [...removed, ...changed]) expect(followed.has(name)).toBe(true);
          for (const name of added) followed.add(name);
          for (const name of removed) followed.delete(name);
        },
      });
      for (const each of steps) take(registry, each);

      const names = registry.getNames();
      expect([...followed].toSorted()).toEqual(names);
      expect(names).toEqual([...names].toSorted());
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
      for (const registered of registry.getAll()) {
        expect(registry.resolve(registered.name)).toBe(registered);
        expect(registry.get(registered.name)).toBe(registered);
      }
      expect(
        [...registry.readOnly().getNames(), ...registry.write().getNames()].toSorted(),
      ).toEqual(names);
      expect(registry.createFiltered(names).getAll()).toEqual(registry.getAll());
      expect(registry.snapshot().getAll()).toEqual(registry.getAll());
    }),
  );
});

test("a scope that comes and goes leaves no trace", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.array(someName, { maxLength: 4 }),
      (steps, scoped) => {
        const registry = createRegistry();
        for (const each of steps) take(registry, each);
        const answers = (): unknown[] =>
          ["Read", "read", "re_ad", "Write", "Grep", "WRITE", "a.b", "a_b", "AB"].map((name) =>
            registry.resolve(name),
          );
        const before = [answers(), registry.getAll()];

        const scope = registry.scope("passing");
        for (const name of scoped)
          scope.register(namedTool(name, { aliases: ["Grep"] }), { override: true });
        scope.dispose();

        expect([answers(), registry.getAll()]).toEqual(before);
      },
    ),
  );
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(registry: Registry, each: Step): void {
  switch (each.kind) {
    case "register":
      try {
        const scope = each.scope === undefined ? {} : { scope: each.scope };
        registry.register(namedTool(each.name, { aliases: each.aliases }), {
          override: each.override,
          ...scope,
        });
      } catch (error) {
        if (!(error instanceof TypeError) || each.override) throw error;
      }
      break;
    case "unregister":
      registry.unregister(each.name);
      break;
    case "toggle":
      if (registry.has(each.name)) registry.setEnabled(each.name, each.enabled);
      break;
    case "dispose":
      registry.scope(each.scope).dispose();
      break;
  }
}
