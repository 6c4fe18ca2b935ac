export {
  openDiagnostics,
  type Diagnostics,
  type DiagnosticsOptions,
  type DiagnosticsState,
} from "./open-diagnostics.ts";
