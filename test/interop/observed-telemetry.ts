import * as otel from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";

type Api = typeof otel;

/** Spans and measurements that were exported. */
export interface Observed {
  readonly api: Api;
  readonly spans: () => readonly ReadableSpan[];
  readonly metrics: () => Promise<
    readonly { name: string; unit: string; points: Readonly<Record<string, unknown>>[] }[]
  >;
}

/** The API with providers of its own, so that no test changes the process. */
export function observedIn(closers: (() => Promise<unknown>)[], exporter?: SpanExporter): Observed {
  const memory = new InMemorySpanExporter();
  const processor =
    exporter === undefined ? new SimpleSpanProcessor(memory) : new BatchSpanProcessor(exporter);
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: measured,
    exportIntervalMillis: 3_600_000,
  });
  const meters = new MeterProvider({ readers: [reader] });
  closers.push(async () => await meters.shutdown());
  const api = {
    ...otel,
    trace: {
      getTracer: (name: string) => provider.getTracer(name),
      setSpan: otel.trace.setSpan,
    },
    metrics: { getMeter: (name: string) => meters.getMeter(name) },
    propagation: {
      extract: (context: otel.Context, carrier: Record<string, string>) => {
        const [, traceId = "", spanId = ""] = (carrier["traceparent"] ?? "").split("-");
        return traceId === ""
          ? context
          : otel.trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true });
      },
      inject: (context: otel.Context, carrier: Record<string, string>) => {
        const { traceId, spanId } = otel.trace.getSpanContext(context) ?? {};
        carrier["traceparent"] = `00-${traceId}-${spanId}-01`;
        carrier["baggage"] = "user=alice";
      },
    },
  } as unknown as Api;
  return {
    api,
    spans: () => memory.getFinishedSpans(),
    metrics: async () => {
      await meters.forceFlush();
      return (measured.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? []).map((each) => ({
        name: each.descriptor.name,
        unit: each.descriptor.unit,
        points: each.dataPoints.map(({ attributes }) => attributes),
      }));
    },
  };
}

/** Names of spans as a tree, sorted by name. */
export function tree(
  spans: readonly ReadableSpan[],
  parent?: string,
  depth = 0,
): readonly string[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((span) => [
      `${"  ".repeat(depth)}${span.name}`,
      ...tree(spans, span.spanContext().spanId, depth + 1),
    ]);
}
