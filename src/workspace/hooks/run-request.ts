import type { Host } from "../../core/index.ts";
import type { HttpHandler } from "./hook.ts";
import { maxOutputBytes, type ProgramResult } from "./run-program.ts";

export interface HookRequest {
  readonly handler: HttpHandler;
  /** JSON of the event, sent as the body. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HookNetwork {
  readonly host: Pick<Host, "net">;
  /** Returns a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/**
 * Sends the event to an address. Never rejects: no answer, one that is not 2xx, a redirect and a body over the bound
 * have failed.
 */
export async function runRequest(
  { handler, input, timeoutMs, signal }: HookRequest,
  { host, variable }: HookNetwork,
): Promise<ProgramResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const { status, body } = await host.net.fetch(
      {
        url: handler.url,
        method: "POST",
        headers: { ...headersOf(handler, variable), "content-type": "application/json" },
        body: input,
      },
      // The user wrote the address, or trusted the project that did.
      { signal: ending, allowsPrivate: true },
    );
    if (status < 200 || status > 299) return failure(`it answered with status ${status}`);
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxOutputBytes)
        return failure(`it answered with more than ${maxOutputBytes} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
    return { kind: "exit", code: 0, stdout: text, stderr: "" };
  } catch (error) {
    if (timeout.aborted) return failure(`it did not answer within ${timeoutMs / 1000} s`);
    return failure(
      `it could not be reached: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Headers with the allowed variables in their places; any other variable is empty. */
function headersOf(
  { headers, allowedEnvVars }: HttpHandler,
  variable: HookNetwork["variable"],
): Readonly<Record<string, string>> {
  const allowed = new Set(allowedEnvVars);
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/gu, (_all, braced?: string, bare?: string) => {
        const key = braced ?? bare ?? "";
        return allowed.has(key) ? (variable(key) ?? "") : "";
      }),
    ]),
  );
}

function failure(why: string): ProgramResult {
  return { kind: "failure", why };
}
