export { RecentMap } from "./collections/lru-map.ts";
export { ByteRing } from "./collections/ring-buffer.ts";
export { deepEqual, isObject, isRecord, isThenable } from "./deep-equal.ts";
export { aModelInfo } from "./describe/model-info.ts";
export {
  isModelName,
  modelProblem,
  priceHint,
  priceProblem,
  runProblem,
} from "./describe/model-problem.ts";
export {
  aBudget,
  aDepth,
  aRunLimit,
  budgetForms,
  runForms,
  turnForms,
} from "./describe/run-forms.ts";
export { changedLines, linesAround, newlinesBefore } from "./diff/line-diff.ts";
export { messageOf, phraseOf, sentenceOf } from "./error-message.ts";
export { fromNextLine, headAndTail } from "./head-and-tail.ts";
export { openedLater } from "./lazy.ts";
export { inBatches } from "./map-concurrently.ts";
export { plainJson, withStrings } from "./map-json-strings.ts";
export { quietly } from "./notify-safely.ts";
export { madeOnce } from "./once.ts";
export { gitDirectoriesAround, isGitHead } from "./paths/git-parts.ts";
export { bothValues, gitConfigPaths } from "./paths/git-config-paths.ts";
export { namedPaths } from "./paths/list-paths.ts";
export { loadSecretTables } from "./paths/load-secrets.ts";
export {
  type ProtectedMatch,
  isEverydayPart,
  leadsToRunningPart,
  mayBeProtected,
  mayLeadToProtected,
  protectedMatch,
} from "./paths/match-protected.ts";
export {
  baseName,
  isAbsolutePath,
  isKernelPath,
  isWithin,
  joinPath,
  parentPath,
  pathBelow,
} from "./paths/path.ts";
export { isNotFound, mayExist, pathExists } from "./paths/not-found.ts";
export { spelledPaths, type SpellingOptions } from "./paths/spelled-paths.ts";
export type { SecretNode, SecretPlaces } from "./paths/secret-places.ts";
export { draftName, draftsAmong } from "./paths/temporary-name.ts";
export {
  isAddress,
  isLocalHost,
  isLoopbackAddress,
  isPublicAddress,
  plainHost,
} from "./public-address.ts";
export { OutputMarks } from "./stream-labels.ts";
export { visibleJson, visibleName, visibleText } from "./visible-text.ts";
export { pacer } from "./yield-often.ts";
export { connectionHeaders } from "./connection-headers.ts";
export { IdSource } from "./id-source.ts";
