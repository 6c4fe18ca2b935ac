import {
  contentText,
  ToolError,
  type ElicitationPort,
  type ClientRoot,
  type ContentPart,
  type ElicitAnswer,
  type ElicitForm,
  type SampleAnswer,
  type SampleRequest,
} from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { validateOnce } from "../../../schema/index.ts";
import { canElicit } from "./client-capabilities.ts";
import type { AskClient, Question } from "../approval/question.ts";

export type Capabilities = Readonly<Record<string, unknown>>;

export interface ClientPortOptions {
  readonly capabilities: Capabilities;
  readonly ask: AskClient;
  /** Called with capabilities that were needed but are missing. */
  readonly onMissing: (capabilities: Capabilities) => void;
}

/** Interface through which a tool uses the client that sent its call. */
export function clientPort({ capabilities, ask, onMissing }: ClientPortOptions): ElicitationPort {
  const canSample = isRecord(capabilities["sampling"]);
  const canListRoots = isRecord(capabilities["roots"]);
  let count = 0;
  const keyOf = (name: string | undefined, kind: string): string => {
    count += 1;
    return name ?? `${kind}-${count}`;
  };
  const missing = (needed: Capabilities, what: string): ToolError => {
    onMissing(needed);
    return new ToolError("UNAVAILABLE", `The client cannot be asked for ${what}.`, {
      hint: "Continue without it, or use a client that supports this.",
      data: { requiredCapabilities: needed },
    });
  };
  return {
    canElicit: canElicit(capabilities),
    canSample,
    canListRoots,
    async elicit({ name, message, schema }: ElicitForm) {
      const key = keyOf(name, "elicit");
      if (!canElicit(capabilities)) throw missing({ elicitation: {} }, "input");
      const params = plain({ message, requestedSchema: schema });
      const answer = await ask({ key, method: "elicitation/create", params });
      return await readElicited(answer, schema);
    },
    async sample({ name, ...request }: SampleRequest) {
      const key = keyOf(name, "sample");
      if (!canSample) throw missing({ sampling: {} }, "an answer of its model");
      const answer = await ask({ key, method: "sampling/createMessage", params: plain(request) });
      return readSampled(answer);
    },
    async listRoots({ name }: { readonly name?: string } = {}) {
      const key = keyOf(name, "roots");
      if (!canListRoots) throw missing({ roots: {} }, "its roots");
      return readRoots(await ask({ key, method: "roots/list", params: {} }));
    },
  };
}

/** Value as sent over the wire: a value that JSON cannot represent is an error of the tool, and detected here. */
function plain(value: object): Question["params"] {
  const read: unknown = JSON.parse(JSON.stringify(value));
  return isRecord(read) ? read : {};
}

async function readElicited(answer: unknown, schema: ElicitForm["schema"]): Promise<ElicitAnswer> {
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept" || !isRecord(content)) throw unreadable("elicitation/create");
  const checked = await validateOnce({ name: "elicitation", input: schema }, content);
  if (checked.ok && isRecord(checked.value)) return { action, content: checked.value };
  throw new ToolError("UNAVAILABLE", "The client's answer does not match the request.", {
    hint: "Ask again, or continue without the answer.",
    data: checked.ok ? {} : { issues: checked.issues },
  });
}

function readSampled(answer: unknown): SampleAnswer {
  const { content, model, stopReason } = isRecord(answer) ? answer : {};
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  if (typeof model !== "string" || !parts.every(isContent)) {
    throw unreadable("sampling/createMessage");
  }
  return {
    content: parts,
    text: contentText(parts),
    model,
    ...(typeof stopReason === "string" ? { stopReason } : {}),
  };
}

function isContent(part: unknown): part is ContentPart {
  if (!isRecord(part)) return false;
  const { type, text, data, mimeType } = part;
  if (type === "text") return typeof text === "string";
  if (type !== "image" && type !== "audio") return false;
  return typeof data === "string" && typeof mimeType === "string";
}

function readRoots(answer: unknown): readonly ClientRoot[] {
  const roots: unknown = isRecord(answer) ? answer["roots"] : undefined;
  if (!Array.isArray(roots)) throw unreadable("roots/list");
  return roots.map((root: unknown) => {
    const { uri, name } = isRecord(root) ? root : {};
    if (typeof uri !== "string") throw unreadable("roots/list");
    return { uri, ...(typeof name === "string" ? { name } : {}) };
  });
}

function unreadable(method: string): ToolError {
  return new ToolError("UNAVAILABLE", `The client's answer to ${method} is invalid.`, {
    hint: "Continue without the answer.",
    data: { method },
  });
}
