/**
 * Allowed imports between layers, as data. The test next to this file enforces it;
 * docs/architecture.md explains it. A new layer is a new line here.
 */
const base = ["core", "text"] as const;

export const layers = {
  core: [],
  text: ["core"],
  schema: base,
  shell: base,
  policy: base,
  redact: base,
  grant: base,
  explain: [...base, "shell", "policy"],
  programs: [],
  host: [...base, "programs"],
  sandbox: [...base, "programs"],
  session: base,
  background: base,
  artifacts: base,
  journal: base,
  registry: [...base, "schema"],
  pipeline: [...base, "schema", "registry", "policy", "grant", "redact", "journal"],
  changes: [...base, "policy", "journal", "sandbox", "pipeline"],
  schedule: [...base, "pipeline"],
  // Pages of the web and local files become Markdown in the same way.
  html: [],
  web: [...base, "html"],
  // Tools that models and users write: their form, their programs and their files.
  created: [...base, "programs", "schema"],
  tools: [...base, "schema", "shell", "html", "created"],
  workspace: [...base, "schema", "policy"],
  // The schema layer reads the structured answer of a run.
  agent: [...base, "schema", "session"],
  mcp: [...base, "schema"],
  server: [...base, "redact", "session", "background", "pipeline", "mcp"],
  interop: [...base, "schema"],
  telemetry: base,
  diagnostics: base,
  kit: [
    ...base,
    "schema",
    "shell",
    "policy",
    "redact",
    "grant",
    "host",
    "sandbox",
    "session",
    "background",
    "artifacts",
    "journal",
    "registry",
    "pipeline",
    "changes",
    "schedule",
    "created",
    "tools",
    "workspace",
    "agent",
    "mcp",
    "web",
    "diagnostics",
  ],
  testing: [...base, "schema", "grant", "kit", "host"],
  // Commands use the public entries, as a user would.
  cli: ["index", "entries"],
  // src/index.ts is the entry `haft`; src/entries/NAME.ts is the entry `haft/NAME`.
  index: [
    "core",
    "host",
    "interop",
    "journal",
    "kit",
    "pipeline",
    "policy",
    "registry",
    "workspace",
  ],
  entries: [
    "core",
    "host",
    "sandbox",
    "shell",
    "explain",
    "agent",
    "interop",
    "mcp",
    "server",
    "session",
    "telemetry",
    "tools",
    "testing",
  ],
} as const satisfies Record<string, readonly string[]>;

/** Maximum number of source files in a folder; tests, declarations and data are not counted. */
export const maxFolderFiles = 15;

/** Folders that hold more, with the reason. */
export const crowded: Readonly<Record<string, string>> = {};

/** Maximum lines of a file that only one other file imports; such a file is a part of the other one. */
export const maxFragmentLines = 40;

/** Shorter files with one importer, with the reason. Rows of a list and files loaded by `import()` need none. */
export const fragments: Readonly<Record<string, string>> = {
  "src/host/files/write/change-node.ts": "its importer would exceed 400 lines",
  "src/host/files/write/copy-and-remove.ts": "its importer would exceed 400 lines",
  "src/host/files/write/path-locks.ts": "its importer would exceed 400 lines",
  "src/host/search/ripgrep/rg-error.ts": "its importer would exceed 400 lines",
  "src/tools/bash/leading-sleep.ts": "its importer would exceed 400 lines",
  "src/kit/diagnostics/open-diagnostics.ts": "loads its layer on first use",
  "src/kit/mcp/no-servers.ts": "loads its layer on first use",
  "src/tools/read/images/load-sharp.ts": "loads an optional package",
  "src/tools/read/images/heic.ts": "loads an optional package",
  "src/workspace/hubs/mcp-registry.ts": "a skill hub is a file that describes itself",
  "src/workspace/instructions/instruction-text.ts": "re-exported by what reads instructions",
};

/** Layers that `kit` joins; what joins fewer than two things belongs to the layer that it is about. */
export const minJoined = 2;

/** Files of `kit` that join fewer than two layers or files of `kit`, with the reason. */
export const joiners: Readonly<Record<string, string>> = {
  "src/kit/doctor/check-confinement.ts": "reads the open parts of the kit",
  "src/kit/groups/call-members.ts": "members of the kit, each checked and handed on",
  "src/kit/hooks/require-added-hooks.ts": "names the hooks of a kit without loading them",
  "src/kit/mcp/no-servers.ts": "loads its layer on first use",
  "src/kit/runs/run-options.ts": "the options of a run are those of the kit",
};

/** Functions and classes in `core`, which otherwise holds types and tables, with what needs them there. */
export const coreLogic: Readonly<Record<string, string>> = {
  "src/core/call/errors.ts": "ToolError",
  "src/core/call/is-effect.ts": "effects of tools and servers are checked where they enter",
  "src/core/check-arguments.ts": "defineTool and createToolkit check what they are given",
  "src/core/nearest-name.ts": "an unknown option is answered with the nearest one",
  "src/core/ports/mcp-client.ts": "the port without a client refuses",
  "src/core/ports/service-token.ts": "a token is made and asked for",
  "src/core/tables/limits.ts": "a table with what the user set",
  "src/core/tables/private-directory.ts": "a table of one row, with the user's number in it",
  "src/core/tables/secret-rows.ts": "rows of a table, split",
  "src/core/tool/capability.ts": "derived from `touches`",
  "src/core/tool/content.ts": "text of content, for every layer",
  "src/core/tool/define-tool.ts": "defineTool",
  "src/core/tool/flags.ts": "derived from `touches`",
  "src/core/tool/listing-parts.ts": "derived from the traits of a tool",
  "src/core/tool/standard-schema.ts": "defineTool tells the forms of a schema apart",
  "src/core/tool/tool-forms.ts": "defineTool checks what it is given",
};

/** Protected or secret paths that a file may name; one that names more repeats the tables of `core/tables`. */
export const maxNamedPaths = 3;

/** Files that name more of these paths, with the reason. */
export const pathLists: Readonly<Record<string, string>> = {
  "src/sandbox/policy/program-requirements.ts": "says which files each program needs",
  "src/workspace/trust/configuration.ts":
    "says which files trust covers; a test requires each of them to be protected",
};

/** Packages a public entry may load before anything is called. Everything else is imported lazily. */
export const eager = {
  "src/core/index.ts": [],
} as const satisfies Record<string, readonly string[]>;
