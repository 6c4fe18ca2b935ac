import type { Effect } from "../../index.ts";

/** Describes an effect as the end of "it would …". Paths inside the workspace are shown relative to it. */
export function describeEffect(effect: Effect, workspace: string): string {
  switch (effect.kind) {
    case "read":
      return `read ${place(effect, workspace)}`;
    case "write":
      return effect.part === undefined
        ? `${changes[effect.change]} ${place(effect, workspace)}`
        : `${changes[effect.part.change]} ${effect.part.pattern} in ${place({ ...effect, scope: "file" }, workspace)}`;
    case "execute": {
      const assigned = effect.assigns.map(({ name, value }) => `${name}=${word(value)}`);
      return `run ${[...assigned, ...effect.via, ...effect.argv.map(word)].join(" ")}`;
    }
    case "connect":
      return `connect to ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`;
    case "delegate":
      return `start or talk to the agent ${effect.agent}`;
    case "interact":
      return "show something to you";
    case "unknown":
      return `unknown effects: ${effect.because.replace(/\.$/u, "")}`;
  }
}

const changes = { create: "create", modify: "change", delete: "delete", any: "write to" } as const;

function place(
  { path, scope }: { readonly path: string; readonly scope: "file" | "tree" },
  workspace: string,
): string {
  const shown =
    path === workspace
      ? "the workspace"
      : path.startsWith(`${workspace}/`)
        ? path.slice(workspace.length + 1)
        : path;
  return scope === "tree" ? `${shown} and everything below` : shown;
}

function word(text: string | { readonly dynamic: string }): string {
  return typeof text === "string" ? shellQuoted(text) : "…";
}

/** Quotes a text as an argument in a shell. */
export function shellQuoted(text: string): string {
  return /^[\w./:=@%+,-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
