import type { Effect } from "../index.ts";

/** An effect in words. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case "read":
      return `read ${effect.path}${effect.scope === "tree" ? " and all below" : ""}`;
    case "write":
      return `${changes[effect.change]} ${effect.path}${effect.scope === "tree" ? " and all below" : ""}`;
    case "execute":
      return `run ${effect.argv.map((word) => (typeof word === "string" ? quote(word) : "…")).join(" ")}`;
    case "connect":
      return `connect to ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`;
    case "delegate":
      return `start or talk to ${effect.agent}`;
    case "interact":
      return "show something to you";
    case "unknown":
      return `do something unknown: ${effect.because} (${effect.origin}); not enforced here`;
  }
}

const changes = { create: "create", modify: "change", delete: "delete", any: "write to" } as const;

function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
