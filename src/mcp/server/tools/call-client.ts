import {
  client,
  ToolError,
  type OnAsk,
  type Services,
  type ServiceToken,
} from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { Channel } from "../transport/transport.ts";
import { canElicit } from "../protocol/client-capabilities.ts";
import { clientPort, type Capabilities } from "../protocol/client-port.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { Result, ServerSide } from "../protocol/server-context.ts";
import type { AskClient, Question } from "../approval/question.ts";
import type { Rounds } from "../approval/resumable-rounds.ts";
import { metaKeys, metaOf, type Era } from "../protocol/versions.ts";

export interface CallClientOptions {
  readonly server: ServerSide;
  readonly params: Readonly<Record<string, unknown>>;
  readonly era: Era;
  readonly direct: Channel;
  readonly signal: AbortSignal;
  readonly onWaiting: () => void;
  /** Asks the client of a task; undefined, or returns undefined, if the call is not one. */
  readonly askTask?: ((question: Question) => Promise<unknown> | undefined) | undefined;
}

/** Part of an outcome that may be replaced. */
interface Failed {
  readonly isError: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Client of one call, which can be asked questions. */
export interface CallClient {
  readonly services: Services;
  /** Undefined if permission questions are not sent to this client. */
  readonly onAsk: OnAsk | undefined;
  /** Cancels the open questions. */
  end(): void;
  /** Response that replaces the outcome: the call's open questions, or the capabilities that the client lacks. */
  instead(outcome: Failed): Result | undefined;
}

/** Maximum number of questions in one call. */
const maxQuestions = 100;
const defaultAskTimeoutMs = 10 * 60_000;

/**
 * Opens the client of a call. The modules that ask are loaded with the first question, or with the first answer that
 * arrives with a call.
 */
export async function openCallClient(options: CallClientOptions): Promise<CallClient> {
  const { server, params, era } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  let rounds: Rounds | undefined;
  let missing: Capabilities | undefined;

  const openRounds = async (): Promise<Rounds> => {
    const [{ Rounds }, { createSeals }] = await Promise.all([
      import("../approval/resumable-rounds.ts"),
      import("../approval/sealed-state.ts"),
    ]);
    server.memory.seals ??= createSeals();
    return (rounds ??= new Rounds(params, server.memory.seals));
  };
  const askModern: AskClient = async (question) => {
    // The repeated call of a client brings answers; a question without one goes to the task, if the call is one.
    const known = rounds?.known(question);
    if (known !== undefined) return known;
    const asked = options.askTask?.(question);
    return await (asked ?? (await openRounds()).ask(question));
  };
  let count = 0;
  const ask: AskClient = async (question) => {
    count += 1;
    if (count > maxQuestions) throw tooMany();
    if (era.kind === "modern") return await askModern(question);
    const asked = options.askTask?.(question);
    if (asked !== undefined) return await asked;
    const { askNow } = await import("../approval/elicit.ts");
    return await askNow(question, {
      state: server.state,
      channel: server.channel,
      direct: options.direct,
      signal,
      timeoutMs: server.options.askTimeoutMs ?? defaultAskTimeoutMs,
      onWaiting: options.onWaiting,
    });
  };

  const isRetry = "inputResponses" in params || "requestState" in params;
  if (era.kind === "modern" && isRetry) await openRounds();
  const capabilities = capabilitiesOf(options);
  const port = clientPort({
    capabilities,
    ask,
    onMissing: (needed) => {
      missing ??= needed;
    },
  });
  let approve: OnAsk | undefined;
  const isApprover = server.options.approvals === "client" && canElicit(capabilities);
  return {
    services: {
      get<T>(token: ServiceToken<T>): T | undefined {
        const own: unknown = token.id === client.id ? port : undefined;
        return isFor(token, own) ? own : undefined;
      },
    },
    onAsk: isApprover
      ? async (question, asked) => {
          const { approver } = await import("../approval/approval.ts");
          approve ??= approver(ask);
          return await approve(question, asked);
        }
      : undefined,
    end: () => over.abort(),
    instead(outcome) {
      if (era.kind === "legacy" || !outcome.isError) return undefined;
      const required = rounds?.required();
      if (required !== undefined) return required;
      if (missing === undefined || outcome.error?.code !== "UNAVAILABLE") return undefined;
      throw new RpcError("missingClientCapability", outcome.error.message, {
        requiredCapabilities: missing,
      });
    },
  };
}

function tooMany(): ToolError {
  return new ToolError("LIMIT_REACHED", `A call may ask its client ${maxQuestions} times.`, {
    hint: "Ask for more at once.",
  });
}

/** Capabilities that the client declares: with each request, or once for the connection. */
function capabilitiesOf({ server, params, era }: CallClientOptions): Capabilities {
  const declared =
    era.kind === "modern" ? metaOf(params)[metaKeys.clientCapabilities] : server.state.capabilities;
  return isRecord(declared) ? declared : {};
}

function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}
