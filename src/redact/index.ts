export { hiddenEvent, hiddenUpdate } from "./redact-event.ts";
export { RedactedStream, redact, redactionMarks } from "./redact-text.ts";
