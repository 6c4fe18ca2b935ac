import type { Mode } from "../../core/index.ts";

/** The mode of one kit, and the one to which it returns when a plan is approved. */
export interface ModeState {
  readonly get: () => Mode;
  readonly set: (mode: Mode) => void;
  /** Leaves plan mode for the mode that was on before it, or "default". */
  readonly leavePlan: () => Mode;
}

/** Creates the mode of a kit; `onChange` is called after each change. */
export function modeState(
  initial: Mode,
  onChange: (mode: Mode) => void = () => undefined,
): ModeState {
  let mode = initial;
  let beforePlan: Mode = "default";
  const set = (next: Mode): void => {
    if (next === "plan" && mode !== "plan") beforePlan = mode;
    mode = next;
    onChange(next);
  };
  return {
    get: () => mode,
    set,
    leavePlan() {
      if (mode === "plan") set(beforePlan);
      return mode;
    },
  };
}
