import type { IncomingHttpHeaders } from 'node:http';
import type { RouteContract } from '@sluice/contracts';
import { extractTrace, injectTrace, type TraceHeaders, tracingRecords, withSpan } from '@sluice/service-kit';

const untraced: TraceHeaders = {};

/**
 * Runs the work of a request in its trace and hands it the context for message headers. When the caller sends no trace context
 * and no exporter is configured, no span is opened and no header is added: they would cost a fifth of the accept path. Log lines
 * of one request are then found by the request id.
 */
export function inTrace<T>(
  headers: IncomingHttpHeaders,
  { name, path, method }: RouteContract,
  work: (trace: TraceHeaders) => Promise<T>,
): Promise<T> {
  if (headers.traceparent === undefined && !tracingRecords()) return work(untraced);
  const attributes = { 'http.request.method': method.toUpperCase(), 'http.route': path };
  return withSpan(name, attributes, () => work(injectTrace({})), extractTrace(headers));
}
