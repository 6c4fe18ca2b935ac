export {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  anAmount,
  anObject,
  argumentError,
  aSignal,
  aText,
  checkedArgument,
  checkedObject,
  checkedOptions,
  described,
  guarded,
  objectWith,
  oneOf,
  plainData,
  texts,
  variables,
  type Fields,
  type Form,
} from "./check-arguments.ts";
export { nearestName } from "./nearest-name.ts";
export {
  agents,
  type AgentCaller,
  type AgentDefinition,
  type AgentMcpServer,
  type AgentDefinitions,
  type AgentExecution,
  type AgentFork,
  type AgentExecutor,
  type AgentJob,
  type AgentRequest,
  type AgentResult,
  type Agents,
  type UnusedAgent,
} from "./agents/agents.ts";
export {
  skillHubs,
  skills,
  slashCommands,
  type FoundSkillInfo,
  type SkillCaller,
  type SkillDownload,
  type SkillHubService,
  type SkillInfo,
  type Skills,
  type SlashCommands,
  type UsedSkill,
} from "./agents/skills.ts";
export {
  delegation,
  type DelegateCallbacks,
  type DelegateLimits,
  type DelegateRequest,
  type DelegateResult,
  type DelegateStep,
  type Delegation,
} from "./agents/delegation.ts";
export {
  otherSessions,
  type OtherSessions,
  type SessionFacts,
  type SessionMessage,
  type SpawnRequest,
} from "./agents/sessions.ts";
export type { AgentInfo, AgentStatus, AgentWorktree, Denial } from "./agents/agent-info.ts";
export {
  absentClient,
  client,
  type ElicitationPort,
  type ClientRoot,
  type ElicitAnswer,
  type ElicitForm,
  type SampleAnswer,
  type SampleMessage,
  type SampleRequest,
} from "./ports/mcp-client.ts";
export {
  artifactStore,
  type ArtifactRef,
  type ArtifactStore,
  type ArtifactStream,
} from "./ports/store/artifacts.ts";
export { capabilityFacts, capabilityLevel, type CapabilityFacts } from "./tool/capability.ts";
export {
  toolSearch,
  toolSearchName,
  type FoundTool,
  type FoundTools,
  type ToolRankingReport,
  type ToolSearch,
  type ToolSearchMeans,
} from "./tool/tool-search.ts";
export { contentText, partText, type ContentPart, type TextPart } from "./tool/content.ts";
export {
  modes,
  type Answer,
  type Ask,
  type Decision,
  type Exclusion,
  type Finding,
  type Grant,
  type Mode,
  type OnAsk,
  type QuestionOption,
  type RuleRef,
  type RuleScope,
  type SaveScope,
} from "./call/decisions.ts";
export {
  checkedBehaviour,
  checkedTool,
  defineTool,
  fromMinimalTool,
  type InitializedTool,
  type LazyToolDefinition,
  type MinimalTool,
  type ToolDefinition,
} from "./tool/define-tool.ts";
export { deriveFlags } from "./tool/flags.ts";
export {
  effectKinds,
  maxEffectPaths,
  type Assign,
  type ByProgram,
  type ConnectEffect,
  type DelegateEffect,
  type Effect,
  type EffectKind,
  type ExecuteEffect,
  type InteractEffect,
  type ReadEffect,
  type Span,
  type UnknownEffect,
  type Word,
  type WriteEffect,
  type WrittenPart,
} from "./call/effects.ts";
export {
  errorCodes,
  ToolError,
  type ErrorCode,
  type ErrorInfo,
  type ErrorInfoOf,
  type ErrorMove,
  type ErrorType,
  type ToolErrorOptions,
} from "./call/errors.ts";
export type {
  ErrorData,
  ErrorDataByCode,
  ErrorFacts,
  InputIssue,
  LineRange,
} from "./call/error-data.ts";
export { type EventBase, type EventLog, type HaftEvent, type NewEvent } from "./call/events.ts";
export type { HookChange, HookChangeSide, HookProgramListener } from "./call/hook-changes.ts";
export type { TokenUsage } from "./call/token-usage.ts";
export { seenFiles, type SeenFiles, type FileView, type SeenEncoding } from "./ports/seen-files.ts";
export type {
  HostAppender,
  HostEntry,
  HostFile,
  HostFs,
  LocatedPath,
  ReadOptions,
  WriteDraft,
  WriteOptions,
} from "./ports/host/host-fs.ts";
export type {
  HostProc,
  ProcessChunk,
  ProcessExit,
  ProcessRef,
  ProcessSpec,
} from "./ports/host/host-process.ts";
export type {
  Host,
  HostCapabilities,
  HostClock,
  HostInfo,
  HostNet,
  HostNetOptions,
  HostRequest,
  HostResponse,
  HostUsers,
} from "./ports/host/host.ts";
export type { HostOptions, HostStat } from "./ports/host/host-stat.ts";
export type {
  DefaultExcludes,
  GlobEvent,
  GlobFile,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  GrepSkipped,
  HostSearch,
  IgnoredDirectories,
  ListEntry,
  ListEvent,
  ListQuery,
} from "./ports/host/host-search.ts";
export {
  languageServers,
  type BegunEdit,
  type CodeFinding,
  type CodePlace,
  type CodeSymbol,
  type EditChecks,
  type EditFindings,
  type FileReplacements,
  type LanguageServers,
  type TextReplacement,
} from "./ports/diagnostics.ts";
export {
  storeAreas,
  type Lease,
  type LockOptions,
  type ReplaceOptions,
  type Store,
  type StoreArea,
  type StoreAreaName,
  type StoredEntry,
  type StoredFile,
  type StoreFiles,
  type StoreFs,
} from "./ports/store/store.ts";
export type { WriteTransaction, WrittenByCall, WrittenFile } from "./ports/write-transaction.ts";
export type { Json, JsonSchema } from "./tool/json.ts";
export type {
  AnthropicTool,
  DefinitionByFormat,
  DefinitionFormat,
  GeminiTool,
  McpTool,
  ObjectSchema,
  OpenAIChatTool,
  OpenAIResponsesTool,
} from "./tool/provider-formats.ts";
export {
  defaultLimits,
  defaultMaxChars,
  limits,
  limitsWith,
  type LimitOptions,
  type Limits,
} from "./tables/limits.ts";
export type {
  Confined,
  ConfinedHelper,
  Confinement,
  Descriptor,
  EndedProgram,
  SandboxGap,
  SandboxReport,
  StagedChange,
  StagedChanges,
  StagedEntry,
  SandboxStrength,
} from "./ports/confinement.ts";
export type {
  Call,
  CallAllOptions,
  CallOptions,
  DecisionRecord,
  Outcome,
  TraceParent,
  Repair,
  UndoRef,
} from "./call/outcome.ts";
export {
  commandPreview,
  type CommandPreview,
  type CommandPreviewed,
  type CommandPreviewRequest,
  type PreviewChange,
  type PreviewResult,
  type StagedHost,
} from "./call/preview.ts";
export { redaction, type Redaction } from "./ports/redactor.ts";
export { neededNode } from "./tables/needed-node.ts";
export { privateFolderName } from "./tables/private-directory.ts";
export {
  defaultSearchSettings,
  searchSettings,
  type MarkMatches,
  type SearchSettings,
} from "./ports/search-settings.ts";
export {
  createdTools,
  type CreatedDefinition,
  type CreatedTools,
  type DeclaredEffect,
  type GivenTool,
  type ToolExample,
} from "./ports/created-tools.ts";
export {
  backgroundModel,
  type BackgroundAnswer,
  type BackgroundModel,
  type BackgroundRequest,
  type ModelInfo,
  type EmbeddingSettings,
  type ModelSettings,
} from "./ports/models.ts";
export { searchVariables } from "./tables/search-variables.ts";
export {
  web,
  webSearch,
  type PageAnswer,
  type PageQuestion,
  type PageRequest,
  type SearchService,
  type Web,
  type WebMeans,
  type WebPage,
  type WebQuery,
  type WebResult,
  type NativeQuery,
  type NativeResults,
  type NativeSearch,
  type SearchCaller,
  type WebResults,
  type WebSearch,
  type WebTarget,
} from "./ports/web.ts";
export {
  requireService,
  serviceToken,
  type Services,
  type ServiceToken,
} from "./ports/service-token.ts";
export {
  notifier,
  people,
  planMode,
  type Notifier,
  type PlanMode,
  type UserNotification,
  type UserQuestion,
  type UserReply,
} from "./ports/user-questions.ts";
export type {
  CapabilityLevel,
  EffectContext,
  InferInput,
  InitContext,
  InputSchema,
  LayeredDescription,
  LazyTool,
  ProgressUpdate,
  Tool,
  ToolBehaviour,
  ToolContext,
  ToolFlags,
  ToolListing,
  ToolParameter,
  ToolResult,
  ToolSource,
  ToolTraits,
  Trust,
} from "./tool/tool.ts";
export type {
  DefinitionOptions,
  ModelDefinitionOptions,
  DeferredDefinition,
  ToolkitDeferral,
  Definitions,
  DroppedDefinitionPart,
  RenamedDefinitionPart,
  Explanation,
  Reconciliation,
  ObservableToolkit,
  Toolkit,
  ToolkitEvents,
} from "./ports/toolkit.ts";
export * from "./ports/tasks/index.ts";
export { isEffect } from "./call/is-effect.ts";
export { isStandardSchema } from "./tool/standard-schema.ts";
export type { PathTurn, PathTurns, TurnHolder } from "./ports/path-turns.ts";
export {
  everydayParts,
  protectedPaths,
  repositoryMarkers,
  runningParts,
} from "./tables/protected-paths.ts";
export { secretVariables } from "./tables/secret-variables.ts";
export { secretFamilyNames, secretRows } from "./tables/secret-rows.ts";
export { commandEnvironment } from "./tables/limits.ts";
export { listingParts, withParameters } from "./tool/listing-parts.ts";
export type {
  ConfinementReport,
  DoctorCheck,
  DoctorReport,
  DriverReport,
} from "./ports/doctor-report.ts";
