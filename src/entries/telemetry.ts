/** Entry `haft/telemetry`: what a kit does, as spans and metrics of OpenTelemetry. */
export {
  instrumentKit,
  type Attributes,
  type AttributeValue,
  type InstrumentOptions,
  type OpenTelemetryApi,
  type TelemetryHistogram,
  type TelemetrySpan,
} from "../telemetry/index.ts";
