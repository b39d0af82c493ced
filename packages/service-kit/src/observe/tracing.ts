import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AlwaysOffSampler, NodeTracerProvider, ParentBasedSampler, type SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Headers of a message or request: one text per name. */
export type TraceHeaders = Record<string, string>;

let provider: NodeTracerProvider | undefined;
let recording = false;

/**
 * Turns trace contexts on for this process, once; later calls change nothing. Contexts are passed as W3C `traceparent` from
 * accept to CRM call, whether they are recorded or not. Spans are recorded only with a `spanProcessor` (an exporter is the
 * deployment's choice and no dependency here); without one the caller's sampling flag is passed on as it came.
 */
export function setupTracing(options: { spanProcessors?: SpanProcessor[] } = {}): void {
  if (provider) return;
  const spanProcessors = options.spanProcessors ?? [];
  recording = spanProcessors.length > 0;
  provider = new NodeTracerProvider({
    spanProcessors,
    ...(spanProcessors.length === 0 && { sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }) }),
  });
  provider.register();
}

/** Whether anyone records spans. When not, a path that is all about speed may pass contexts on without opening any. */
export const tracingRecords = (): boolean => recording;

/** Writes the active trace context into message headers, and returns them. */
export function injectTrace(headers: TraceHeaders, from: Context = context.active()): TraceHeaders {
  propagation.inject(from, headers, defaultTextMapSetter);
  return headers;
}

/** The trace context that headers carry, to be passed to `withSpan`; the active context when they carry none. */
export function extractTrace(headers: Readonly<Record<string, unknown>> | undefined): Context {
  return propagation.extract(context.active(), headers ?? {}, defaultTextMapGetter);
}

/**
 * Runs work inside a span, a child of `parent` (default: the active one). The span ends with the work; an error is
 * noted on it and passes on.
 */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => T,
  parent: Context = context.active(),
): T {
  return trace.getTracer('sluice').startActiveSpan(name, { attributes }, parent, (span) => {
    try {
      const result = work(span);
      if (!isPromise(result)) return end(span, result);
      return result.then(
        (value) => end(span, value),
        (error: unknown) => fail(span, error),
      ) as T;
    } catch (error) {
      return fail(span, error);
    }
  });
}

function end<T>(span: Span, value: T): T {
  span.end();
  return value;
}

function fail(span: Span, error: unknown): never {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  throw error;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
