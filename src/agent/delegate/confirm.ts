import type { Ask, OnAsk } from "../../core/index.ts";

/**
 * Answers questions that come from the mode alone with yes. A question that a rule, the floor or an exclusion asks goes
 * to the user, as does one that no rule may answer.
 */
export function confirming(onAsk: OnAsk | undefined): OnAsk {
  const answer: OnAsk = async (ask, options) => {
    if (isConfirmable(ask)) return { kind: "once" };
    if (onAsk !== undefined) return await onAsk(ask, options);
    return { kind: "deny", reason: "A rule asks the user about this, and no user can be asked." };
  };
  return Object.assign(answer, {
    looksAtPreview: onAsk?.looksAtPreview ?? false,
    isAutomatic: onAsk === undefined || onAsk.isAutomatic === true,
  });
}

function isConfirmable({ kind, trail, effects }: Ask): boolean {
  const asking = trail.filter(({ verdict }) => verdict !== "allow" && verdict !== "note");
  return (
    kind === "permission" &&
    asking.length > 0 &&
    asking.every(({ verdict, rule }) => verdict === "ask" && rule === undefined) &&
    !effects.some((effect) => effect.kind === "unknown" && effect.alwaysAsks === true)
  );
}
