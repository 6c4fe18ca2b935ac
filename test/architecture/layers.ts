/**
 * Who may import whom, as data. The test beside this file enforces it;
 * docs/architecture.md explains it. A new layer is a new line here.
 */
export const layers = {
  core: [],
  schema: ["core"],
  shell: ["core"],
  policy: ["core"],
  explain: ["core", "shell", "policy"],
  journal: ["core"],
  programs: [],
  host: ["core", "programs"],
  sandbox: ["core", "programs"],
  session: ["core"],
  registry: ["core", "schema"],
  pipeline: ["core", "schema", "registry", "policy", "journal"],
  schedule: ["core", "pipeline"],
  tools: ["core", "schema", "shell"],
  workspace: ["core", "schema", "policy"],
  agent: ["core", "session"],
  mcp: ["core", "schema"],
  interop: ["core", "schema"],
  kit: [
    "core",
    "schema",
    "shell",
    "policy",
    "journal",
    "host",
    "sandbox",
    "session",
    "registry",
    "pipeline",
    "schedule",
    "tools",
    "workspace",
    "agent",
    "mcp",
    "interop",
  ],
  testing: ["core", "schema", "kit", "host"],
  // Commands and the console use the public entries, as a user would.
  cli: ["index", "tools", "explain", "agent", "mcp", "interop", "testing"],
  console: ["index", "explain", "agent", "mcp", "interop", "testing"],
  // src/index.ts, the entry `haft`.
  index: ["core", "registry", "pipeline", "schedule", "kit", "host", "schema"],
} as const satisfies Record<string, readonly string[]>;

/** Packages a public entry may load before anything is called. Everything else is imported lazily. */
export const eager = {
  "src/core/index.ts": [],
} as const satisfies Record<string, readonly string[]>;
