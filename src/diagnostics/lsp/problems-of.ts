import { ToolError, type CodeFinding, type HostClock } from "../../core/index.ts";
import { isRecord, visibleText } from "../../text/index.ts";
import type { StartedServer } from "./language-server.ts";
import { within, type TimeLimit } from "./time-limit.ts";
import { uriOf } from "./uri.ts";

/** Milliseconds without a further publication after which the last one counts as complete. */
const quietMs = 250;
/** Maximum number of problems of a file that are read, and characters of a message. */
const maxProblems = 2000;
const maxMessageChars = 500;

export interface ProblemsRequest {
  /** Name of the server in the settings. */
  readonly name: string;
  readonly path: string;
  readonly limit: TimeLimit;
  readonly clock: HostClock;
}

/**
 * Problems of an open document, computed for the text that the server has now. Undefined where the server does not say
 * for which text they are.
 */
export async function problemsOf(
  server: StartedServer,
  request: ProblemsRequest,
): Promise<readonly CodeFinding[] | undefined> {
  if (pulls(server)) return await pulled(server, request);
  if (asksTypescript(server)) return await ofTypescript(server, request);
  return await published(server, request);
}

/** Whether the server answers a question about a document, after all changes that were sent before. */
function pulls({ capabilities, registered }: StartedServer): boolean {
  return (
    isRecord(capabilities["diagnosticProvider"]) ||
    [...registered.values()].includes("textDocument/diagnostic")
  );
}

async function pulled(
  { connection }: StartedServer,
  { name, path, limit }: ProblemsRequest,
): Promise<readonly CodeFinding[] | undefined> {
  const params = { textDocument: { uri: uriOf(path) } };
  const wait = { ms: limit.left(), signal: limit.signal };
  const report = await connection.request("textDocument/diagnostic", params, wait);
  if (!isRecord(report) || report["kind"] !== "full" || !Array.isArray(report["items"])) {
    return undefined;
  }
  return findingsOf(report["items"], name, path);
}

const tsserverRequest = "typescript.tsserverRequest";

/** typescript-language-server publishes without a version, but passes questions on to tsserver in order. */
function asksTypescript({ capabilities }: StartedServer): boolean {
  const provider = capabilities["executeCommandProvider"];
  const commands = isRecord(provider) ? provider["commands"] : undefined;
  return Array.isArray(commands) && commands.includes(tsserverRequest);
}

async function ofTypescript(
  { connection }: StartedServer,
  { name, path, limit }: ProblemsRequest,
): Promise<readonly CodeFinding[] | undefined> {
  const ask = async (command: string): Promise<readonly CodeFinding[] | undefined> => {
    const answer = await connection.request(
      "workspace/executeCommand",
      { command: tsserverRequest, arguments: [command, { file: uriOf(path) }] },
      { ms: limit.left(), signal: limit.signal },
    );
    const body = isRecord(answer) ? answer["body"] : undefined;
    if (!isRecord(answer) || answer["success"] !== true || !Array.isArray(body)) return undefined;
    return body.slice(0, maxProblems).flatMap((each) => typescriptFinding(each, name, path) ?? []);
  };
  const syntax = await ask("syntacticDiagnosticsSync");
  const semantic = await ask("semanticDiagnosticsSync");
  return syntax === undefined || semantic === undefined ? undefined : [...syntax, ...semantic];
}

function typescriptFinding(value: unknown, source: string, path: string): CodeFinding | undefined {
  if (!isRecord(value) || !isRecord(value["start"])) return undefined;
  const { start, text, code, category } = value;
  const { line, offset } = start;
  if (typeof line !== "number" || typeof offset !== "number" || typeof text !== "string") {
    return undefined;
  }
  if (category !== "error" && category !== "warning") return undefined;
  return {
    path,
    line,
    column: offset,
    severity: category,
    message: oneLine(text),
    ...(typeof code === "number" ? { code: `TS${code}` } : {}),
    source,
  };
}

async function published(
  { published: all, documents }: StartedServer,
  { name, path, limit, clock }: ProblemsRequest,
): Promise<readonly CodeFinding[] | undefined> {
  const version = documents.versionOf(path);
  if (version === undefined) return undefined;
  for (;;) {
    const now = all.of(path, version);
    const { came, forget } = all.next();
    try {
      if (now === undefined) await within(came, limit, clock);
      else if (!(await comesWithin(came, Math.min(quietMs, limit.left()), clock))) {
        return findingsOf(now.items, name, path);
      }
    } finally {
      forget();
    }
    if (limit.left() === 0) throw new ToolError("TIMEOUT", `${name} is still checking.`);
  }
}

async function comesWithin(came: Promise<void>, ms: number, clock: HostClock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.timer(ms, () => resolve(false));
  try {
    return await Promise.race([came.then(() => true), promise]);
  } finally {
    cancel();
  }
}

function findingsOf(
  items: readonly unknown[],
  source: string,
  path: string,
): readonly CodeFinding[] {
  return items.slice(0, maxProblems).flatMap((each) => finding(each, source, path) ?? []);
}

function finding(value: unknown, source: string, path: string): CodeFinding | undefined {
  if (!isRecord(value) || !isRecord(value["range"])) return undefined;
  const { start } = value["range"];
  const { severity = 1, message, code } = value;
  if (!isRecord(start) || typeof message !== "string" || (severity !== 1 && severity !== 2)) {
    return undefined;
  }
  const { line, character } = start;
  if (typeof line !== "number" || typeof character !== "number") return undefined;
  return {
    path,
    line: line + 1,
    column: character + 1,
    severity: severity === 1 ? "error" : "warning",
    message: oneLine(message),
    ...(typeof code === "string" || typeof code === "number"
      ? { code: visibleText(String(code)).slice(0, 100) }
      : {}),
    source,
  };
}

function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\s+/gu, " ").trim()).slice(0, maxMessageChars);
}
