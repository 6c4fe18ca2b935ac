import { ToolError } from "../../core/index.ts";
import {
  compileInput,
  plainInput,
  failureKey,
  maxInputDepth,
  repeatedFailureHint,
  validateInput,
  type CompiledInput,
  type Validated,
} from "../../schema/index.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import type { Next, StateOf, Step } from "../step.ts";

type Sets = "input" | "text" | "repairs" | "isValid";
type State = StateOf<Sets, "tool" | "parsed">;

/**
 * Checks the input against the tool's schema and repairs near misses.
 *
 * Runs before hooks and rules, so that both see the input as it will run. A hook or an answer that changes the input
 * sends the call back here.
 */
export const validate: Step<Sets, "tool" | "parsed", "valid"> = (state, environment) => {
  const plain = plainInput(state.input);
  if (!plain.ok) throw notPlain(plain.because);
  state.input = plain.value;
  const validated = validateInput(compiledOf(state), state.input, state.text);
  if (validated instanceof Promise) {
    return validated.then((settled) => take(state, environment, settled));
  }
  return take(state, environment, validated);
};

function notPlain(because: string): ToolError {
  return new ToolError("INVALID_INPUT", `The input cannot be used: ${because}.`, {
    hint: `Send a plain JSON object, nested at most ${maxInputDepth} levels deep.`,
  });
}

function compiledOf(state: State): CompiledInput {
  return state.registered.compiled ?? compileInput(state.tool);
}

function take(state: State, environment: PipelineEnvironment, validated: Validated): Next {
  const { name } = state.tool;
  state.isValid = validated.ok;
  if (!validated.ok) {
    const repeated = environment.streaks.failed(name, failureKey(name, validated.issues));
    throw new ToolError("INVALID_INPUT", validated.message, {
      hint: repeatedFailureHint(compiledOf(state), repeated) ?? validated.hint,
      data: { issues: validated.issues },
    });
  }
  environment.streaks.succeeded(name);
  state.input = validated.value;
  state.text = undefined;
  if (validated.repairs.length > 0) state.repairs = [...state.repairs, ...validated.repairs];
  return undefined;
}
