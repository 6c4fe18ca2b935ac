/** Values that attributes of spans and metrics have here. */
export type AttributeValue = string | number | boolean | string[];

/** Attributes of a span or of a measurement. */
export type Attributes = Record<string, AttributeValue>;

/** The part of a span that haft uses. */
export interface TelemetrySpan {
  /** Adds an attribute. */
  setAttribute(key: string, value: AttributeValue): unknown;
  /** Replaces the name. */
  updateName(name: string): unknown;
  /** Sets the result; 2 is an error. */
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  /** Ends the span, at a time in milliseconds since the epoch. */
  end(endTime: number): void;
}

/** The part of a histogram that haft uses. */
export interface TelemetryHistogram {
  /** Records one measurement. */
  record(value: number, attributes: Attributes): void;
}

/**
 * The part of the package `@opentelemetry/api` that haft uses. Pass the whole package: haft does not load it.
 */
export interface OpenTelemetryApi<Context, Span extends TelemetrySpan> {
  /** Spans. */
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: {
          readonly startTime: number;
          readonly kind: number;
          readonly attributes: Attributes;
        },
        context: Context,
      ): Span;
    };
    setSpan(context: Context, span: Span): Context;
  };
  /** Metrics. */
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(
        name: string,
        options: { readonly unit: string; readonly description: string },
      ): TelemetryHistogram;
    };
  };
  /** Current context. */
  readonly context: {
    active(): Context;
  };
  /** Context of another process. */
  readonly propagation: {
    extract(context: Context, carrier: Record<string, string>): Context;
    inject(context: Context, carrier: Record<string, string>): void;
  };
}

/** Kinds of spans, as OpenTelemetry numbers them. */
export const spanKinds = { internal: 0, server: 1, client: 2 } as const;
