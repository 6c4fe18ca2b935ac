import { ToolError, type Call } from "../../core/index.ts";
import { sentenceOf } from "../../text/index.ts";

/** Maximum length of a call id: longer than any provider's, and short enough for journals and logs. */
const maxIdChars = 10_000;

/** A call whose fields were read once, and the reason if it cannot run. */
export interface ReadCall {
  readonly call: Call;
  readonly fault: ToolError | undefined;
}

/** Reads a call of any form; a fault becomes the outcome of the call and is not thrown at the caller. */
export function readCall(given: Call): ReadCall {
  try {
    const call: unknown = given;
    if (typeof call !== "object" || call === null) return faulty("A call must be an object.");
    const { id, name, input, incomplete, messageId }: Readonly<Record<string, unknown>> = {
      ...call,
    };
    if (typeof name !== "string") return faulty("A call must name its tool as a text.");
    const kept = {
      name,
      input,
      ...(incomplete === true ? { incomplete } : {}),
      ...(typeof messageId === "string" ? { messageId: messageId.slice(0, maxIdChars) } : {}),
    };
    if (id === undefined) return { call: kept, fault: undefined };
    if (typeof id !== "string") return faulty("The id of a call must be a text.", name);
    if (id.length > maxIdChars) {
      return faulty(`The id of a call may have ${maxIdChars} characters.`, name);
    }
    return { call: { ...kept, id }, fault: undefined };
  } catch (error) {
    return faulty(`The call cannot be read: ${sentenceOf(error)}`);
  }
}

function faulty(message: string, name = ""): ReadCall {
  const fault = new ToolError("INVALID_INPUT", message, {
    hint: 'Make it as in { name: "Read", input: { file_path: "a.txt" } }.',
  });
  return { call: { name }, fault };
}
