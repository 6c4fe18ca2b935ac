import { ToolError, type CommandPreviewRequest, type Host } from "../core/index.ts";
import type { PipelineEnvironment } from "../pipeline/index.ts";
import { allowedChanges } from "./match-rules.ts";
import type { CommandOverlays } from "./predict/command-overlays.ts";
import { openConfined, type ConfineParts } from "./confine/confine-call.ts";

/** Characters stored of each stream in a dry run; the end of it, which usually reports the result. */
const maxChars = 200_000;

/**
 * Runs commands without effect: on an overlay of the workspace that is dropped as a whole, and in a sandbox without
 * network in which nothing else is writable. Rejects with UNAVAILABLE if either is missing.
 */
export function tryCommands(
  parts: ConfineParts & {
    readonly overlays: CommandOverlays;
    readonly trialSandboxes: ConfineParts["sandboxes"];
    readonly newId: (prefix: string) => string;
  },
): NonNullable<PipelineEnvironment["tryCommand"]> {
  const { host, overlays, newId } = parts;
  const trial = { ...parts, require: "enforced", sandboxes: parts.trialSandboxes } as const;
  const open = openConfined(trial, { isTrial: true, keep: async () => await overlays.uncovered() });
  return async (request, { grant, agentId }) => {
    const because = await overlays.missing();
    if (because !== undefined) {
      throw new ToolError(
        "UNAVAILABLE",
        `A command cannot be tried here without touching the files: ${because}`,
      );
    }
    const opened = await open(grant, agentId);
    if (opened.confinement === undefined) {
      throw new ToolError("UNAVAILABLE", "No sandbox here can confine a dry run.");
    }
    const overlay = await overlays.prepare(opened.confinement, { passthrough: [] });
    try {
      const { argv, cwd, env, keepEnv, timeoutMs, signal } = request;
      const id = newId("preview");
      await host.proc.start(
        {
          id,
          argv,
          cwd,
          env,
          ...(keepEnv === undefined ? {} : { keepEnv }),
          stdin: "none",
          limits: { timeoutMs },
          confinement: overlay.confinement,
        },
        { signal },
      );
      const { output, ended } = await read(host, id, request);
      await opened.close([ended]);
      return {
        staged: allowedChanges(await overlay.changes(), parts.judge(agentId)),
        output,
        drop: async () => await overlay.drop(),
      };
    } catch (cause) {
      await overlay.drop().catch(() => undefined);
      throw cause;
    }
  };
}

async function read(host: Host, id: string, { cwd, signal, timeoutMs }: CommandPreviewRequest) {
  const texts = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  // The output ends when the program does; the signal ends the program.
  for await (const chunk of host.proc.output(id, 0)) {
    if ("exit" in chunk) {
      const { code, signal: by, endedBy } = chunk.exit;
      if (endedBy === "timeout") {
        throw new ToolError("TIMEOUT", `The command was not over within ${timeoutMs / 1000} s.`, {
          hint: "Nothing was changed. Give a longer timeout, or run the call.",
        });
      }
      if (signal.aborted) throw new ToolError("ABORTED", "The preview was stopped.");
      return {
        output: { ...texts, exitCode: code },
        ended: { code, signal: by, stderr: texts.stderr.slice(-16_384), cwd },
      };
    }
    const { stream, bytes } = chunk;
    texts[stream] = (texts[stream] + decoders[stream].decode(bytes, { stream: true })).slice(
      -maxChars,
    );
  }
  throw new ToolError("INTERNAL", "The command ended without an exit.");
}
