export { openDiagnostics, type Diagnostics, type DiagnosticsOptions } from "./open-diagnostics.ts";
