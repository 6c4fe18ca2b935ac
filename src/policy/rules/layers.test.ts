import { describe, expect, test } from "vitest";
import {
  allModes,
  anyTool,
  boundary,
  readOf,
  requestOf,
  runOf,
  unknownOf,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect, Mode } from "../../core/index.ts";
import { classOf, type EffectClass } from "../decide/boundary.ts";
import { decide } from "../decide/decide.ts";
import { askReasons, builtInLayer, modeLayers } from "./layers.ts";

const examples: Readonly<Record<EffectClass, Effect>> = {
  interact: { kind: "interact" },
  device: writeOf("/dev/null", "any"),
  "read-inside": readOf("/ws/a"),
  "read-outside": readOf("/etc/hosts"),
  "write-inside": writeOf("/ws/a"),
  "write-outside": writeOf("/other/a"),
  "execute-listed": runOf("ls", { consequences: "listed" }),
  "execute-stop": runOf("kill 7", { consequences: "listed" }),
  "execute-open": runOf("npm test"),
  "connect-public": { kind: "connect", host: "example.com", port: 443, reach: "public" },
  connect: { kind: "connect", host: "a.org" },
  "delegate-session": { kind: "delegate", agent: "s1", target: "session" },
  delegate: { kind: "delegate", agent: "tester" },
  unknown: unknownOf("AnyTool"),
};

const classes = Object.keys(examples) as EffectClass[];

/** The decision that the layers of a mode make about one effect of a class, and what it says. */
function expected(kind: EffectClass, mode: Mode): { readonly is: object; readonly says: string } {
  const { allow, deny, otherwise } = modeLayers[mode];
  const denied = deny.find(({ on }) => on === kind);
  if (denied !== undefined) {
    const rule = { rule: `${mode}: ${kind}`, list: "deny", scope: "mode" };
    return { is: { kind: "deny", rule }, says: denied.says };
  }
  const usual = builtInLayer.find(({ on }) => on === kind);
  const line = usual ?? allow.find(({ on }) => on === kind);
  if (line === undefined) {
    const why = askReasons[kind].replace("{mode}", mode).slice(1);
    return { is: { kind: otherwise }, says: why };
  }
  const origin = usual === undefined ? mode : "built-in";
  const scope = usual === undefined ? "mode" : "built-in";
  const rule = { rule: `${origin}: ${kind}`, list: "allow", scope };
  return { is: { kind: "allow", rule }, says: line.says };
}

describe("each class of effects", () => {
  test.each(classes)("%s has an example", (kind) => {
    expect(classOf(examples[kind], boundary)).toBe(kind);
  });

  test.each(allModes)("is decided in %s mode as its layers say, by a rule of that name", (mode) => {
    for (const kind of classes) {
      const decision = decide(requestOf([examples[kind]], { mode, tool: anyTool }));

      const { is, says } = expected(kind, mode);

      expect([kind, decision]).toMatchObject([kind, is]);
      expect(decision.trail[0]?.text).toContain(says);
    }
  });

  test("is asked about without the built-in layer and without its mode's word for it", () => {
    for (const { on } of builtInLayer) {
      const decision = decide(requestOf([examples[on]], { builtIn: [] }));

      expect([on, decision]).toMatchObject([
        on,
        { kind: "ask", reason: askReasons[on].replace("{mode}", "Default") },
      ]);
    }
  });
});

test("what the modes and the built-in layer say is this and no more", () => {
  const said = allModes.map((mode) => {
    const { allow, deny, otherwise, opensProtected } = modeLayers[mode];
    return [
      `${mode}: ${otherwise} otherwise${opensProtected ? ", opens what is protected" : ""}`,
      ...allow.map(({ on, says }) => `+ ${on}: ${says}`),
      ...deny.map(({ on, says }) => `- ${on}: ${says}`),
    ];
  });

  expect(builtInLayer.map(({ on }) => on)).toEqual([
    "interact",
    "device",
    "connect-public",
    "delegate",
  ]);
  expect(said).toMatchInlineSnapshot(`
    [
      [
        "default: ask otherwise",
        "+ read-inside: Files inside the workspace may be read.",
        "+ execute-listed: The command does nothing beyond the effects listed with it.",
        "+ execute-stop: Only what this session left running is ended.",
      ],
      [
        "acceptEdits: ask otherwise",
        "+ read-inside: Files inside the workspace may be read.",
        "+ execute-listed: The command does nothing beyond the effects listed with it.",
        "+ execute-stop: Only what this session left running is ended.",
        "+ write-inside: acceptEdits mode changes files inside the workspace unasked.",
      ],
      [
        "plan: ask otherwise",
        "+ read-inside: Files inside the workspace may be read.",
        "+ execute-listed: The command does nothing beyond the effects listed with it.",
        "+ execute-stop: Only what this session left running is ended.",
        "- write-inside: Plan mode changes no file.",
        "- write-outside: Plan mode changes no file.",
        "- execute-open: Plan mode runs only commands whose every consequence is known.",
        "- execute-stop: Plan mode ends nothing that runs.",
        "- delegate: Plan mode starts no other agent.",
        "- delegate-session: Plan mode starts no other session.",
        "- unknown: Plan mode does nothing whose consequences are not known.",
      ],
      [
        "dontAsk: deny otherwise",
        "+ read-inside: Files inside the workspace may be read.",
        "+ execute-listed: The command does nothing beyond the effects listed with it.",
        "+ execute-stop: Only what this session left running is ended.",
      ],
      [
        "bypassPermissions: ask otherwise, opens what is protected",
        "+ interact: bypassPermissions mode allows it unasked.",
        "+ device: bypassPermissions mode allows it unasked.",
        "+ read-inside: bypassPermissions mode allows it unasked.",
        "+ read-outside: bypassPermissions mode allows it unasked.",
        "+ write-inside: bypassPermissions mode allows it unasked.",
        "+ write-outside: bypassPermissions mode allows it unasked.",
        "+ execute-listed: bypassPermissions mode allows it unasked.",
        "+ execute-stop: bypassPermissions mode allows it unasked.",
        "+ execute-open: bypassPermissions mode allows it unasked.",
        "+ connect: bypassPermissions mode allows it unasked.",
        "+ connect-public: bypassPermissions mode allows it unasked.",
        "+ delegate: bypassPermissions mode allows it unasked.",
        "+ delegate-session: bypassPermissions mode allows it unasked.",
        "+ unknown: bypassPermissions mode allows it unasked.",
      ],
    ]
  `);
});
