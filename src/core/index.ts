export {
  aCount,
  aFlag,
  aFunction,
  aListOf,
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
  type Fields,
  type Form,
} from "./check-arguments.ts";
export { nearestName } from "./nearest-name.ts";
export { changedLines, linesAround, newlinesBefore, type ChangedLines } from "./changed-lines.ts";
export {
  absentClient,
  client,
  type ClientPort,
  type ClientRoot,
  type ElicitAnswer,
  type ElicitForm,
  type SampleAnswer,
  type SampleMessage,
  type SampleRequest,
} from "./client.ts";
export {
  artefactStore,
  type ArtefactRef,
  type ArtefactStore,
  type ArtefactStream,
} from "./artefacts.ts";
export { ByteRing } from "./byte-ring.ts";
export { capabilityFacts, capabilityLevel, type CapabilityFacts } from "./capability.ts";
export { contentText, partText, type ContentPart, type TextPart } from "./content.ts";
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
  type RuleRef,
  type RuleScope,
  type SaveScope,
} from "./decisions.ts";
export {
  checkedBehaviour,
  checkedTool,
  defineTool,
  deriveFlags,
  fromMinimalTool,
  type InitializedTool,
  type LazyToolDefinition,
  type MinimalTool,
  type ToolDefinition,
} from "./define-tool.ts";
export { draftName, draftsAmong } from "./draft-name.ts";
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
} from "./effects.ts";
export {
  errorCodes,
  ToolError,
  type ErrorCode,
  type ErrorInfo,
  type ErrorMove,
  type ErrorType,
  type ToolErrorOptions,
} from "./errors.ts";
export { type EventLog, type HaftEvent, type NewEvent, type TokenUsage } from "./events.ts";
export { fileState, type FileState, type FileView, type SeenEncoding } from "./file-state.ts";
export type {
  Host,
  HostAppender,
  HostCapabilities,
  HostClock,
  HostEntry,
  HostFile,
  HostFs,
  HostInfo,
  HostNet,
  HostProc,
  HostRequest,
  HostResponse,
  LocatedPath,
  ProcessChunk,
  ProcessExit,
  ProcessRef,
  ProcessSpec,
  ReadOptions,
  WriteOptions,
} from "./host.ts";
export type { HostOptions, HostStat } from "./host-stat.ts";
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
} from "./host-search.ts";
export type { NarrowOptions } from "./grant-guard.ts";
export type { LeftByCall, LeftFile } from "./left-by-call.ts";
export type { Json, JsonSchema } from "./json.ts";
export { defaultLimits, limits, limitsWith, type LimitOptions, type Limits } from "./limits.ts";
export type {
  Confined,
  ConfinedHelper,
  Confinement,
  Descriptor,
  EndedProgram,
  Gap,
  SandboxReport,
  StagedChange,
  StagedChanges,
  StagedEntry,
  Strength,
} from "./confinement.ts";
export { namedPaths } from "./named-paths.ts";
export { aRunLimit, modelProblem } from "./model-problem.ts";
export { narrowHost, type NarrowedHost } from "./narrowed-host.ts";
export type { Call, CallOptions, DecisionRecord, Outcome, Repair, UndoRef } from "./outcome.ts";
export { OutputMarks } from "./output-marks.ts";
export {
  commandPreview,
  type CommandPreview,
  type CommandPreviewed,
  type CommandPreviewRequest,
  type PreviewChange,
  type PreviewResult,
  type StagedHost,
} from "./preview.ts";
export { redaction, type Redaction } from "./redaction.ts";
export { quietly } from "./quietly.ts";
export { baseName, isAbsolutePath, isWithin, joinPath, parentPath, pathBelow } from "./path.ts";
export { privateFolderName } from "./private-folder.ts";
export {
  defaultSearchSettings,
  searchSettings,
  type MarkMatches,
  type SearchSettings,
} from "./search-settings.ts";
export { requireService, serviceToken, type Services, type ServiceToken } from "./services.ts";
export {
  jobs,
  workingDirectory,
  type DirectoryChannel,
  type Jobs,
  type LeftProcess,
  type OutputReading,
  type PreparedTask,
  type Task,
  type TaskRead,
  type TaskReading,
  type TaskStatus,
  type WorkingDirectory,
} from "./tasks.ts";
export type {
  CapabilityLevel,
  EffectContext,
  InferInput,
  InitContext,
  InputIssue,
  InputSchema,
  LayeredDescription,
  LazyTool,
  ProgressUpdate,
  Tool,
  ToolBehaviour,
  ToolContext,
  ToolFlags,
  ToolListing,
  ToolResult,
  ToolSource,
  ToolTraits,
  Trust,
} from "./tool.ts";
export type {
  DefinitionFormat,
  DefinitionOptions,
  Definitions,
  Explanation,
  Toolkit,
} from "./toolkit.ts";
export { isEffect } from "./is-effect.ts";
export { isStandardSchema } from "./standard-schema.ts";
export type { PathTurn, PathTurns, TurnHolder } from "./path-turns.ts";
export { madeOnce } from "./made-once.ts";
export { makeOwnFolder } from "./own-folder.ts";
export {
  foldName,
  isEverydayPart,
  leadsToRunningPart,
  mayBeProtected,
  mayLeadToProtected,
  protectedMatch,
  type ProtectedMatch,
} from "./tables/match-protected.ts";
export { protectedPaths, runningParts } from "./tables/protected-paths.ts";
export type { SecretNode, SecretOptions, SecretPlaces } from "./tables/secret-places.ts";
export { loadSecretTables } from "./tables/load-secrets.ts";
export type { HostUsers } from "./host.ts";
export { gitConfigPaths, type GitConfigPaths } from "./git-config-paths.ts";
