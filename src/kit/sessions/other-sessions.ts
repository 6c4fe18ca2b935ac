import { childPromptParts, chooseDefinition } from "../../agent/index.ts";
import {
  contentText,
  ToolError,
  type AgentCaller,
  type AgentDefinition,
  type OtherSessions,
  type SessionFacts,
  type SessionMessage,
} from "../../core/index.ts";
import type { Message, SessionInfo, SessionStore } from "../../session/index.ts";
import type { AgentKit, KitAgents } from "../agents/bound-agents.ts";
import { childOptions } from "../agents/open-agents.ts";
import type { KitParts } from "../kit-parts.ts";
import { shareTaint, suspect } from "./taints.ts";

type SessionParts = Pick<
  KitParts,
  "sessionFile" | "runs" | "callers" | "work" | "agents" | "shared" | "scope"
>;

interface SessionKit extends AgentKit {
  readonly agents: Pick<KitAgents, "definitions">;
}

/** Other sessions of a kit's workspace. What they do is limited as the calls of the kit are. */
export function sessionsOfKit(kit: SessionKit, parts: SessionParts): OtherSessions {
  const { sessionFile, runs, callers, work, scope } = parts;
  const { taints } = parts.shared;
  const store = async (): Promise<SessionStore> => await sessionFile.open();
  const isSeen = ({ workspace, sessionId }: SessionInfo): boolean =>
    workspace === kit.workspace.path && scope?.has(sessionId) !== false;
  const existing = async (sessionId: string): Promise<SessionInfo> => {
    const info = await (await store()).get(sessionId);
    if (info !== undefined && isSeen(info)) return info;
    throw new ToolError("NOT_FOUND", `There is no session ${sessionId} in this workspace.`, {
      hint: "List them with SessionsList.",
    });
  };
  return {
    async spawn({ prompt, agent, title }, caller) {
      const parent = runs.get(caller.runId ?? "");
      const depth = (parent?.depth ?? 0) + 1;
      const definition = await definitionOf(agent, kit);
      const runId = kit.newId("run");
      const leaveTree = (await parts.agents()).enterSession(caller, runId);
      const sessionId = kit.newId("session");
      scope?.add(sessionId);
      shareTaint(taints, caller.sessionId, sessionId);
      // Limits and hooks of what its caller uses apply to it as well.
      callers.begin({ sessionId, runId }, caller);
      const named = title === undefined ? {} : { title };
      let own: ReturnType<typeof kit.derive> | undefined;
      try {
        own = kit.derive(definition === undefined ? {} : childOptions(kit, definition, { prompt }));
        await (await store()).create({ sessionId, workspace: kit.workspace.path, ...named });
      } catch (error) {
        leaveTree();
        callers.end(runId);
        await own?.dispose();
        throw error;
      }
      const run = own.run({
        task: prompt,
        sessionId,
        runId,
        depth,
        ...(parent === undefined ? {} : { model: parent.model, budget: parent.budget }),
        ...(definition === undefined ? {} : { system: childPromptParts(definition) }),
      });
      const shown = title ?? prompt.slice(0, 60);
      const endWork =
        parent === undefined
          ? undefined
          : work.start(parent.runId, { id: sessionId, kind: "agent", title: shown });
      const ended = async (): Promise<void> => {
        const { status, text, denials } = await run.result;
        leaveTree();
        callers.end(runId);
        await own.dispose();
        parent?.addDenials(denials);
        endWork?.({
          message: `The session ${sessionId} (${shown}) has ended: ${status}.\n\n${text}`,
        });
      };
      void ended();
      return factsOf(await existing(sessionId));
    },
    async list({ limit, offset }) {
      const all = await (await store()).list();
      return all
        .filter(isSeen)
        .slice(offset, offset + limit)
        .map(factsOf);
    },
    get: async (sessionId) => factsOf(await existing(sessionId)),
    async send(sessionId, message, caller) {
      if (sessionId === caller.sessionId) {
        throw new ToolError("INVALID_INPUT", "A session cannot send a message to itself.", {
          hint: "Name another session of SessionsList.",
        });
      }
      await existing(sessionId);
      await (await store()).post(sessionId, `${senderOf(caller)}\n\n${message}`);
    },
    async history(sessionId, limit, caller) {
      await existing(sessionId);
      suspect(taints, caller.sessionId);
      const messages = await (await store()).messages(sessionId);
      return messages.slice(-limit).map(asText);
    },
    async yield(message, { runId = "" }) {
      const run = runs.get(runId);
      if (run?.yieldWith(message) === true) return;
      throw new ToolError(
        "UNAVAILABLE",
        run === undefined
          ? "This call was made outside a run."
          : "The answer of this run has a schema.",
        { hint: "Answer with a message instead.", retryable: false },
      );
    },
  };
}

async function definitionOf(
  agent: string | undefined,
  { agents }: Pick<SessionKit, "agents">,
): Promise<AgentDefinition | undefined> {
  if (agent === undefined) return undefined;
  return chooseDefinition(agent, undefined, await agents.definitions());
}

function factsOf({ sessionId, title, status, messages, updatedAt }: SessionInfo): SessionFacts {
  return { sessionId, title, status, messages, updatedAt };
}

function senderOf({ sessionId }: AgentCaller): string {
  return sessionId === undefined ? "Message of a program:" : `Message of the session ${sessionId}:`;
}

function asText(message: Message): SessionMessage {
  switch (message.role) {
    case "user":
      return { role: "user", text: contentText(message.content) };
    case "assistant":
      return {
        role: "assistant",
        text: message.content
          .map((part) => {
            if (part.type === "text") return part.text;
            return part.type === "tool-call" ? `(calls ${part.name})` : "";
          })
          .filter((text) => text !== "")
          .join("\n"),
      };
    case "tool":
      return {
        role: "tool",
        text: message.content.map(({ content }) => contentText(content)).join("\n"),
      };
  }
}
