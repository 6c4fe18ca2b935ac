import type { ModelSettings } from "../../../core/index.ts";
import { defaultLimits } from "../../../core/index.ts";
import {
  amount,
  choice,
  count,
  data,
  either,
  flag,
  list,
  map,
  object,
  text,
  type Setting,
} from "./setting.ts";

export const requires = ["off", "best-effort", "enforced"] as const;
export const overlays = ["off", "undo", "preview"] as const;

/** Accepted values of the settings of searches. */
export const searchChoices = {
  defaultExcludes: ["untracked", "always", "never"],
  markMatches: ["people", "model", "never"],
} as const;

/** Limits by group, each with its default. The names of `shownChars` are those of tools. */
export const limitSettings: Setting<Readonly<Record<string, Readonly<Record<string, number>>>>> =
  groups(
    Object.fromEntries(
      Object.entries(defaultLimits).map(([group, names]) => [
        group,
        group === "shownChars"
          ? map(count(), { is: "an object of numbers", doc: "Characters shown, by tool." })
          : groups(
              Object.fromEntries(
                Object.entries<number>(names).map(([name, value]) => [
                  name,
                  count({ default: value }),
                ]),
              ),
              { is: "an object of numbers" },
            ),
      ]),
    ),
    {
      is: "an object of groups",
      doc: "Limits on what tools accept, do and return. An untrusted workspace may only lower them.",
    },
  );

function groups<T>(
  parts: Readonly<Record<string, Setting<T>>>,
  options: { readonly is: string; readonly doc?: string },
): Setting<Readonly<Record<string, T>>> {
  const { json, read } = object<Readonly<Record<string, Setting<T>>>>(parts, options);
  return {
    json,
    read: (value, place) => {
      const found = read(value, place);
      if (found === undefined) return undefined;
      return Object.fromEntries(
        Object.entries(found).flatMap(([name, each]) => (each === undefined ? [] : [[name, each]])),
      );
    },
  };
}

const secretPaths = {
  is: "a list of paths that begin with / or ~/",
  wrongEntries: "left-out",
} as const;
const aPath = text({ pattern: /^~?\//u });

export const secretSettings = object(
  {
    add: list(aPath, { ...secretPaths, doc: "Secret files in addition to the known ones." }),
    open: list(aPath, { ...secretPaths, doc: "Secret files that are read like any other." }),
  },
  {
    is: "{ add, open }, lists of paths",
    wrong: { value: {}, hint: "It is ignored." },
    doc: "Secret files in addition to the known ones, and known ones to open.",
  },
);

export const sandboxSettings = object(
  {
    require: choice(requires, {
      wrong: { value: "enforced", hint: "It is taken as enforced." },
      default: "best-effort",
      doc: "Whether a program starts only if its access to files and the network is confined.",
    }),
    driver: text({ doc: "The only driver to use; by default the strongest that works." }),
    network: either(
      choice(["open", "none"]),
      object({ hosts: list(text()) }, { required: ["hosts"], whole: true }),
      {
        is: '"open", "none" or { "hosts": [...] }',
        wrong: { value: "none", hint: "It is taken as none." },
        default: "open",
        doc: "Network access of programs.",
      },
    ),
    overlay: choice(overlays, {
      wrong: { value: "preview", hint: "It is taken as preview." },
      default: "undo",
      doc: "Handling of files that a program changes: undoable, shown first, or changed directly.",
    }),
    passthrough: list(text(), {
      doc: "Directories below the workspace that programs change directly, without undo.",
    }),
    secrets: secretSettings,
  },
  {
    wrong: {
      value: { require: "enforced" },
      hint: 'It is taken as { "require": "enforced" }.',
    },
    doc: "Confinement of programs. An untrusted workspace may only make it stricter.",
  },
);

export const searchSettings = object(
  {
    defaultExcludes: choice(searchChoices.defaultExcludes, {
      default: "untracked",
      doc: "Where the default list of excludes applies.",
    }),
  },
  { doc: "Files that searches include." },
);

type ContextShare = `auto:${number}%`;

/** A share of the context of a model. */
export const contextShare = /^auto:(?:100|[1-9]?\d)%$/u;

const never: Setting<false> = {
  json: { const: false },
  read: (value) => (value === false ? value : undefined),
};

const share: Setting<ContextShare> = {
  json: { type: "string", pattern: contextShare.source },
  read: (value) => (isContextShare(value) ? value : undefined),
};

function isContextShare(value: unknown): value is ContextShare {
  return typeof value === "string" && contextShare.test(value);
}

export const toolSearchSettings = object(
  {
    threshold: either(either(amount(), share, { is: "" }), never, {
      is: 'a number of at least 0, a share of the context such as "auto:10%", or false',
      default: 15,
      doc: "Number of tools above which a model finds the rest with ToolSearch, or, as in `auto:10%`, the share of its context that definitions may take; false: never.",
    }),
    calls: choice(["auto", "growing", "envelope", "native"], {
      default: "auto",
      doc: "Whether found tools join the list, or are called through `tool_call`, so that the list stays the same, or are deferred by the provider where it can; auto: through `tool_call` in runs whose provider caches prompts.",
    }),
  },
  { doc: "Which tools a model sees before it searches for others (docs/tools.md)." },
);

export const grepSettings = object(
  {
    markMatches: choice(searchChoices.markMatches, {
      default: "people",
      doc: "Who sees matches marked with >> and <<.",
    }),
  },
  { doc: "Results of Grep." },
);

const model = (doc?: string): Setting<string> =>
  text({
    pattern: /./u,
    is: 'a model, as in "provider:model", or an alias',
    ...(doc === undefined ? {} : { doc }),
  });

export const modelSettings: Setting<ModelSettings> = object(
  {
    default: model("Default model of runs that specify none."),
    background: model("Model for summaries and other work in the background."),
    aliases: map(model(), { doc: 'Short names of models, as in { "fast": "provider:model" }.' }),
    catalog: map(
      object({
        contextTokens: count({ doc: "Tokens of request and answer together." }),
        maxOutputTokens: count({ doc: "Tokens of an answer." }),
        // Half a price list would count a part of the tokens as free.
        usdPerMTok: object(
          { input: amount(), output: amount(), cacheRead: amount(), cacheWrite: amount() },
          {
            required: ["input", "output"],
            whole: true,
            doc: "Prices in US dollars for a million tokens.",
          },
        ),
      }),
      { doc: "Sizes and prices of models by `provider:model`." },
    ),
    embeddings: object(
      {
        baseUrl: text({
          pattern: /^https?:\/\/./u,
          is: "an http or https address",
          doc: "Its address, without `/embeddings`.",
        }),
        model: text({ doc: "Name of the model there." }),
        apiKeyEnv: text({ doc: "Environment variable with the key." }),
      },
      {
        required: ["baseUrl", "model"],
        whole: true,
        doc: "Endpoint with OpenAI's API that turns texts into vectors.",
      },
    ),
    toolRanking: choice(["none", "background", "embeddings"], {
      default: "none",
      doc: "Model that ranks the best matches of ToolSearch (docs/tools.md).",
    }),
  },
  { doc: "Models, their short names, sizes and prices." },
);

export const bashSettings = object(
  {
    enableSandbox: flag({
      wrong: { value: true, hint: "It is taken as true." },
      doc: 'true: no command runs unconfined (`sandbox.require: "enforced"`); false: `sandbox.require: "off"`.',
    }),
    defaultWorkingDirectory: text({ doc: "The same as `defaultWorkingDirectory`." }),
    allowedDirectories: list(text(), { doc: "The same as `permissions.additionalDirectories`." }),
    confirmDangerousCommands: flag({
      wrong: { value: true, hint: "It is taken as true." },
      doc: "The same as `confirmDangerousCommands`.",
    }),
    dangerousCommandWhitelist: list(text(), { doc: "The same as `dangerousCommandWhitelist`." }),
    execTimeout: count({ doc: "The same as `limits.bash.timeoutMs`: milliseconds." }),
  },
  { doc: "Settings of commands, under alternative names." },
);

export const toolSettings = map(
  object({
    enabled: flag({
      wrong: { value: false, hint: "It is taken as false." },
      doc: "Whether the tool is offered. A tool may be off by default.",
    }),
    autoExecute: flag({
      wrong: { value: false, hint: "It is taken as false." },
      doc: "true: an allow rule for the tool, below deny, ask and the floor; false: an ask rule.",
    }),
  }),
  { doc: "Tools by name: whether they are offered, and whether their calls ask." },
);

export const toolAgentSettings = object(
  {
    maxToolCalls: count({ doc: "Tool calls of one delegated task." }),
    timeoutMs: count({ doc: "Milliseconds of one delegated task." }),
    autoConfirmDangerous: flag({
      default: false,
      wrong: { value: false, hint: "It is taken as false." },
      doc: "Answer questions of delegated tasks with yes. Deny and ask rules and the floor still count.",
    }),
    providerId: text({ doc: "Provider of the model of delegated tasks." }),
    model: model("Model of delegated tasks."),
  },
  { doc: "The agent that runs delegated tasks." },
);

export const agentSettings = map(
  object({
    enabled: flag({
      wrong: { value: false, hint: "It is taken as false." },
      doc: "Whether the agent may be started.",
    }),
    description: text({ doc: "When to use it." }),
    prompt: text({ doc: "Its system prompt." }),
    model: model("Its model; `inherit` is that of the parent."),
    tools: list(text(), { doc: "Its tools." }),
    disallowedTools: list(text(), { doc: "Tools it does not have." }),
    allowedTools: list(text(), { doc: "The only tools and rules it may use." }),
    permissionMode: text({ doc: "Its mode; never wider than that of the parent." }),
    maxTurns: count({ doc: "Turns of one run." }),
    skills: list(text(), { doc: "Skills it starts with." }),
    mcpServerIds: list(text(), { doc: "MCP servers it may use, by name." }),
    directMcpServers: data("object", { doc: "MCP servers of its own." }),
    background: flag({ doc: "Whether it starts in the background." }),
    isolation: choice(["worktree"], { doc: "Whether it works in a worktree of its own." }),
  }),
  { doc: "Agents by name, in addition to those of definition files, or changes to those." },
);
