import type { Mode, RuleRef } from "../../core/index.ts";
import type { EffectClass } from "../decide/boundary.ts";

/** One line of a layer: its text for the trail about one class of effects. */
export interface LayerRule {
  readonly on: EffectClass;
  readonly says: string;
}

/**
 * Additions of a mode to the users' rules. `deny` is checked with the deny rules, so no allow rule overrides it;
 * `allow` is checked after the users' allow rules. Undecided effects are asked about, or refused where `otherwise`
 * says so.
 */
export interface ModeLayer {
  readonly allow: readonly LayerRule[];
  readonly deny: readonly LayerRule[];
  readonly otherwise: "ask" | "deny";
  /** Protected paths are treated like others when written. */
  readonly opensProtected: boolean;
}

/** Everyday effects allowed in every mode that does not refuse them. Data: pass another list, or none. */
export const builtInLayer: readonly LayerRule[] = [
  { on: "interact", says: "Showing something to the user changes nothing." },
  { on: "device", says: "The device is everybody's and keeps nothing." },
  {
    on: "connect-public",
    says: "Public pages and searches of the web may be read while nothing private can leak.",
  },
  { on: "delegate", says: "A sub-agent can do no more than the one that starts it." },
];

const readInside: LayerRule = {
  on: "read-inside",
  says: "Files inside the workspace may be read.",
};
const listed: LayerRule = {
  on: "execute-listed",
  says: "The command does nothing beyond the effects listed with it.",
};

const stop: LayerRule = {
  on: "execute-stop",
  says: "Only what this session left running is ended.",
};

const everyday: readonly LayerRule[] = [readInside, listed, stop];

export const modeLayers: Readonly<Record<Mode, ModeLayer>> = {
  default: { allow: everyday, deny: [], otherwise: "ask", opensProtected: false },
  acceptEdits: {
    allow: [
      ...everyday,
      { on: "write-inside", says: "acceptEdits mode changes files inside the workspace unasked." },
    ],
    deny: [],
    otherwise: "ask",
    opensProtected: false,
  },
  plan: {
    allow: everyday,
    deny: [
      { on: "write-inside", says: "Plan mode changes no file." },
      { on: "write-outside", says: "Plan mode changes no file." },
      {
        on: "execute-open",
        says: "Plan mode runs only commands whose every consequence is known.",
      },
      { on: "execute-stop", says: "Plan mode ends nothing that runs." },
      { on: "delegate", says: "Plan mode starts no other agent." },
      { on: "delegate-session", says: "Plan mode starts no other session." },
      { on: "unknown", says: "Plan mode does nothing whose consequences are not known." },
    ],
    otherwise: "ask",
    opensProtected: false,
  },
  dontAsk: { allow: everyday, deny: [], otherwise: "deny", opensProtected: false },
  bypassPermissions: {
    allow: (
      [
        "interact",
        "device",
        "read-inside",
        "read-outside",
        "write-inside",
        "write-outside",
        "execute-listed",
        "execute-stop",
        "execute-open",
        "connect",
        "connect-public",
        "delegate",
        "delegate-session",
        "unknown",
      ] as const
    ).map((on) => ({ on, says: "bypassPermissions mode allows it unasked." })),
    deny: [],
    otherwise: "ask",
    opensProtected: true,
  },
};

/** Reasons for asking about a class of effects that nothing allows. */
export const askReasons: Readonly<Record<EffectClass, string>> = {
  interact: "Nothing allows showing it to the user.",
  device: "Nothing allows using this device.",
  "read-inside": "Nothing allows reading there.",
  "read-outside": "It is outside the workspace.",
  "write-inside": "Changing files in the workspace needs approval in {mode} mode.",
  "write-outside": "It is outside the workspace.",
  "execute-listed": "Nothing allows running it.",
  "execute-stop": "Nothing allows ending it.",
  "execute-open": "Such a program can run arbitrary code, so {mode} mode asks first.",
  connect: "{mode} mode asks before anything is sent to the network.",
  "connect-public": "{mode} mode asks before anything is sent to the network.",
  delegate: "Nothing allows starting another agent.",
  "delegate-session": "Another session is not limited by this one.",
  unknown: "Its effects are unknown, so the user decides.",
};

/** A layer as decisions use it: the finding for each class, created once. */
export type CompiledLayer = ReadonlyMap<
  EffectClass,
  { readonly says: string; readonly ref: RuleRef }
>;

export function compileLayer(
  layer: readonly LayerRule[],
  list: RuleRef["list"],
  origin: { readonly scope: "mode" | "built-in"; readonly name: string },
): CompiledLayer {
  return new Map(
    layer.map(({ on, says }) => [
      on,
      { says, ref: Object.freeze({ rule: `${origin.name}: ${on}`, list, scope: origin.scope }) },
    ]),
  );
}

/** The layer of a mode, in a form that is fast to query. */
export interface Layer extends ModeLayer {
  readonly allowing: CompiledLayer;
  readonly denying: CompiledLayer;
}

function compileMode(mode: Mode): Layer {
  const layer = modeLayers[mode];
  const origin = { scope: "mode", name: mode } as const;
  return {
    ...layer,
    allowing: compileLayer(layer.allow, "allow", origin),
    denying: compileLayer(layer.deny, "deny", origin),
  };
}

/** The layer of each mode, compiled once. */
export const layers: Readonly<Record<Mode, Layer>> = {
  default: compileMode("default"),
  acceptEdits: compileMode("acceptEdits"),
  plan: compileMode("plan"),
  dontAsk: compileMode("dontAsk"),
  bypassPermissions: compileMode("bypassPermissions"),
};

const builtIns = new WeakMap<readonly LayerRule[], CompiledLayer>();

/** Returns the built-in layer, which is below that of the mode, compiled once for each list. */
export function builtInOf(layer: readonly LayerRule[] = builtInLayer): CompiledLayer {
  const found = builtIns.get(layer);
  if (found !== undefined) return found;
  const made = compileLayer(layer, "allow", { scope: "built-in", name: "built-in" });
  builtIns.set(layer, made);
  return made;
}
