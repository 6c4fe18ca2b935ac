import type { BegunEdit, ContentPart, Effect, WriteEffect } from "../../core/index.ts";
import type { FieldsOf, Next, StateOf, Step } from "../step.ts";

/**
 * Takes the state before an edit, for the checks after it.
 *
 * Runs right before run, because what the checks compare with must be what the edit changes.
 */
export const beforeEdit: Step<"begunEdit", "tool" | "effects" | "intent", "beforeEdit"> = (
  state,
  { editChecks },
) => {
  if (editChecks === undefined || !isEdit(state)) return undefined;
  const paths = state.effects.filter(isWrite).map(({ path }) => path);
  const begun = editChecks.begin([...new Set(paths)], state.options.signal);
  return begun === undefined ? undefined : takeBegun(state, begun);
};

async function takeBegun(
  state: StateOf<"begunEdit">,
  begun: Promise<BegunEdit | undefined>,
): Promise<Next> {
  state.begunEdit = await begun;
  return undefined;
}

/** Whether the call changes files through its host and does nothing else: other changes have no state before. */
function isEdit({ tool, effects }: FieldsOf<"tool" | "effects">): boolean {
  return (
    tool.staged === "files" &&
    effects.some(isWrite) &&
    effects.every(({ kind }) => kind === "read" || kind === "write")
  );
}

function isWrite(effect: Effect): effect is WriteEffect {
  return effect.kind === "write" && effect.scope === "file";
}

/**
 * Adds what is wrong since the edit below the answer.
 *
 * Runs after run, and only if the edit was made. It never fails the call: the files are changed already.
 */
export const afterEdit: Step<"result", "beforeEdit" | "result"> = (state) => {
  const { begunEdit, result } = state;
  return begunEdit === undefined || result === undefined ? undefined : report(state, begunEdit);
};

async function report(state: StateOf<"result">, begun: BegunEdit): Promise<Next> {
  const found = await begun.end(state.options.signal).catch(() => undefined);
  const { result } = state;
  if (found === undefined || result === undefined) return undefined;
  const part: ContentPart = { type: "text", text: found.text };
  state.result = {
    ...result,
    content:
      typeof result.content === "string"
        ? `${result.content}\n\n${found.text}`
        : [...result.content, part],
    metadata: { ...result.metadata, diagnostics: found.findings },
  };
  return undefined;
}
