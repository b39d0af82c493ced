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
import { SpanContexts } from './span-contexts';

/** Headers of a message or request: one text per name. */
export type TraceHeaders = Record<string, string>;

const contexts = new SpanContexts();
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
  provider.register({ contextManager: contexts });
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

/** Spans that have not ended. After the last one no context is active anywhere. */
let open = 0;

/**
 * Runs work inside a span, a child of `parent` (default: the active one). The span ends with the work; an error is
 * noted on it and passes on. Where nobody records spans and `parent` has no trace, no span is opened.
 */
export function withSpan<T>(name: string, attributes: Attributes, work: () => T, parent: Context = context.active()): T {
  if (!recording && trace.getSpan(parent) === undefined) return work();
  open += 1;
  return trace.getTracer('sluice').startActiveSpan(name, { attributes }, parent, (span) => {
    try {
      const result = work();
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
  close(span);
  return value;
}

function fail(span: Span, error: unknown): never {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
  close(span);
  throw error;
}

function close(span: Span): void {
  span.end();
  open -= 1;
  if (open === 0 && !recording) contexts.disable();
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}
