export { instrumentKit, type InstrumentOptions } from "./instrument.ts";
export type {
  Attributes,
  AttributeValue,
  OpenTelemetryApi,
  TelemetryHistogram,
  TelemetrySpan,
} from "./open-telemetry.ts";
