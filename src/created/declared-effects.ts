import type { CreatedDefinition, DeclaredEffect, Effect } from "../core/index.ts";

type Input = Readonly<Record<string, unknown>>;

/** Port of a host for which none is declared. */
const defaultPort = 443;

/**
 * Effects of one call: what the definition declares for this input, and the start of the program with access to nothing
 * else. Where nothing here enforces that, the call may do anything.
 */
export function effectsOfCall(
  definition: CreatedDefinition,
  input: Input,
  isEnforced: boolean,
): readonly Effect[] {
  const { name, language, effects = [] } = definition;
  const unknown: Effect = {
    kind: "unknown",
    because: "no sandbox here holds the program to what it declares",
    origin: name,
  };
  return [
    ...effects.flatMap((effect) => effectFor(effect, input, name)),
    {
      kind: "execute",
      argv: [language === "javascript" ? "node" : "bash", name],
      assigns: [],
      via: [],
      consequences: isEnforced ? "listed" : "open",
      span: { start: 0, end: 0 },
      access: "declared",
    },
    ...(isEnforced ? [] : [unknown]),
  ];
}

/** A declared effect with the values of the input; none where a property that it names is absent. */
function effectFor(effect: DeclaredEffect, input: Input, origin: string): readonly Effect[] {
  if (effect.kind === "connect")
    return filled(effect.host, input).flatMap((host) => connection(host, effect, origin));
  const { kind, path, scope = "file" } = effect;
  return filled(path, input).map((each) =>
    kind === "read" ? { kind, path: each, scope } : { kind, path: each, scope, change: "any" },
  );
}

function connection(
  text: string,
  { port }: { readonly port?: number | undefined },
  origin: string,
): readonly Effect[] {
  const url = /^https?:\/\//iu.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.hostname ?? text;
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/u.test(host)) {
    return [{ kind: "unknown", because: `${JSON.stringify(text)} is not a host`, origin }];
  }
  const own = url === undefined ? defaultPort : url.port === "" ? portOf(url) : Number(url.port);
  return [{ kind: "connect", host, port: port ?? own }];
}

function portOf({ protocol }: URL): number {
  return protocol === "http:" ? 80 : defaultPort;
}

/** Replaces `{name}` by the values of the input: several texts where a value is a list. */
function filled(template: string, input: Input): readonly string[] {
  const named = /\{([^{}]*)\}/u.exec(template);
  if (named === null) return [template];
  const [placeholder, name = ""] = named;
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return [value].flat().flatMap((each) => {
    if (typeof each !== "string" && typeof each !== "number") return [];
    const before = template.slice(0, named.index);
    const rest = filled(template.slice(named.index + placeholder.length), input);
    return rest.map((after) => `${before}${each}${after}`);
  });
}
