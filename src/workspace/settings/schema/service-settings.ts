import type { JsonSchema } from "../../../core/index.ts";
import { choice, count, data, flag, list, map, object, text, type Setting } from "./setting.ts";

export const webSearchSettings = object(
  {
    provider: choice(["auto", "native", "tavily", "jina", "searxng", "brave", "exa", "google"], {
      default: "auto",
      doc: "Search service; `auto` tries what is configured.",
    }),
    failover: list(text(), { doc: "Services to try when that one fails." }),
    baseUrl: text({
      pattern: /^https?:\/\//u,
      is: "an http or https address",
      doc: "Address of the service.",
    }),
    apiKeyEnv: text({
      pattern: /^\w+$/u,
      is: "the name of an environment variable",
      doc: "Environment variable with the key.",
    }),
    count: count({ doc: "Number of results of a search." }),
  },
  { doc: "Web search." },
);

const mcpServer = object({
  type: text({ doc: "Transport: http, sse, stdio, or one that the program registered." }),
  command: text({ doc: "Program of a local server." }),
  args: list(text(), { doc: "Its arguments." }),
  env: map(text(), { doc: "Its environment variables." }),
  cwd: text({ doc: "Its directory." }),
  url: text({ doc: "Address of a remote server." }),
  headers: map(text(), { doc: "Headers sent to it." }),
  timeout: count({ doc: "Milliseconds until a call fails." }),
  startTimeout: count({ doc: "Milliseconds for it to start; default 30,000." }),
  disabled: flag({ doc: "Whether it is off." }),
});

/** Other clients add keys of their own to a server, so unknown ones are kept and not reported. */
export const mcpServerSettings = (doc: string): Setting<Readonly<Record<string, unknown>>> => {
  const entry: Setting<unknown> = {
    json: { ...mcpServer.json, additionalProperties: true },
    read(value, place) {
      let isRead = true;
      mcpServer.read(value, {
        ...place,
        report: (problem) => {
          if (problem.message.startsWith("There is no setting")) return;
          isRead = false;
          place.report(problem);
        },
      });
      return isRead ? value : undefined;
    },
  };
  return map(entry, { doc });
};

/** Hooks as the settings hold them; the events and handlers are read where hooks are. */
export const hookSettings = data("object", {
  doc: "Commands and other handlers that run around calls (docs/hooks.md).",
  json: hooksJson(),
  // A list that is not one: a gate that cannot be read must not be open.
  wrong: { value: { PreToolUse: null }, hint: "Until it is corrected, it blocks every call." },
});

function hooksJson(): JsonSchema {
  const handler = {
    type: "object",
    required: ["type"],
    properties: {
      type: { enum: ["command", "http", "mcp_tool", "prompt", "agent"] },
      timeout: { type: "number", description: "Seconds." },
      onFailure: { enum: ["block", "allow"] },
    },
  };
  const entry = {
    type: "object",
    required: ["hooks"],
    properties: { matcher: { type: "string" }, hooks: { type: "array", items: handler } },
  };
  return { additionalProperties: { type: "array", items: entry } };
}

export const skillHubSettings = list(
  object(
    {
      kind: choice(["skills.sh", "well-known", "clawhub", "mcp-registry"], { doc: "Its kind." }),
      url: text({ pattern: /^https?:\/\//u, is: "an http or https address", doc: "Its address." }),
    },
    { required: ["kind"], whole: true },
  ),
  { is: "a list of hubs", wrongEntries: "reported", doc: "Hubs to search for skills." },
);

const commandWords = list(text(), { is: "a list of strings" });

export const diagnosticSettings = object(
  {
    checkers: list(
      object(
        {
          name: text({ doc: "Its name." }),
          command: commandWords,
          files: list(text(), { doc: "Patterns of files it checks." }),
          timeoutMs: count({ doc: "Milliseconds until it is stopped." }),
        },
        { required: ["name", "command", "files"], whole: true },
      ),
      {
        is: "a list of checkers",
        wrongEntries: "reported",
        doc: "Programs that check files after an edit.",
      },
    ),
    servers: map(
      object(
        { command: commandWords, files: list(text(), { doc: "Patterns of files it knows." }) },
        { whole: true },
      ),
      { doc: "Language servers by name; a known name needs neither command nor files." },
    ),
  },
  { doc: "Checkers and language servers that check files after an edit." },
);
