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
  created: [...base, "programs"],
  tools: [...base, "schema", "shell", "html", "created"],
  workspace: [...base, "schema", "policy"],
  // The schema layer reads the structured answer of a run.
  agent: [...base, "schema", "session"],
  mcp: [...base, "schema"],
  server: [...base, "redact", "session", "mcp"],
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

/** Packages a public entry may load before anything is called. Everything else is imported lazily. */
export const eager = {
  "src/core/index.ts": [],
} as const satisfies Record<string, readonly string[]>;
