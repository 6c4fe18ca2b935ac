import type { Effect } from "../../core/index.ts";
import { commandEffects as shellEffects } from "../../shell/index.ts";

/** Where the command would run; paths canonical. */
export interface CommandSite {
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
}

/**
 * What a command will touch. The shell layer says what it reads, writes and contacts, so path and host rules
 * hold for it. Every program it starts still counts as open: it runs through a shell, with the person's own
 * configuration, so a rule has to name it.
 */
export function commandEffects(command: string, site: CommandSite): readonly Effect[] {
  const effects = shellEffects(command, site);
  const starts = effects.some(({ kind }) => kind === "execute");
  return starts ? effects.flatMap(opened) : [...effects, shellItself(command)];
}

/** A text that starts no program, such as `x=1` or `> file`, still takes a shell, which does only that. */
function shellItself(command: string): Effect {
  return {
    kind: "execute",
    argv: ["bash", "-c", command],
    assigns: [],
    via: [],
    consequences: "listed",
    span: { start: 0, end: command.length },
  };
}

function opened(effect: Effect): readonly Effect[] {
  if (effect.kind !== "execute" || effect.consequences === "open") return [effect];
  const [program = "bash"] = effect.argv;
  const origin = typeof program === "string" ? program : "bash";
  return [
    { ...effect, consequences: "open" },
    {
      kind: "unknown",
      because: `${origin} may do more than its arguments say`,
      origin,
      span: effect.span,
    },
  ];
}
