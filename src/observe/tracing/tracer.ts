import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

// Module state, like the providers of OpenTelemetry's API. Null while tracing is off, so that it costs one comparison.
let tracer: Tracer | null = null;

export function enableTracing(version: string): void {
  tracer = trace.getTracer('colloquy', version);
}

export function disableTracing(): void {
  tracer = null;
}

export function isTracing(): boolean {
  return tracer !== null;
}

export interface SpanSpec {
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
  /** Whether the span begins a trace if none is active. @default false */
  isRoot?: boolean;
}

/** Runs work in a span, which ends with its promise. Without tracing, or without an active trace, it only runs the work. */
export function inSpan<Result>(
  { name, kind = SpanKind.INTERNAL, attributes = {}, isRoot = false }: SpanSpec,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (tracer === null || (!isRoot && trace.getActiveSpan() === undefined)) return work(null);
  const span = tracer.startSpan(name, { kind, attributes });
  const running = context.with(trace.setSpan(context.active(), span), work, undefined, span);
  running.then(
    () => span.end(),
    (error: unknown) => {
      fail(span, error instanceof Error ? error.name : 'error');
      span.end();
    },
  );
  return running;
}

/** Marks a span as failed. @param type an error code or the name of an error: messages may contain data of users */
export function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}

/** Headers that continue the active trace at a receiver: `traceparent` and what else the propagators add. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (tracer !== null) propagation.inject(context.active(), headers);
  return headers;
}

/** Starts the span of an HTTP request, which continues the trace of its headers. */
export function startRequestSpan(
  name: string,
  headers: { readonly [name: string]: unknown },
  attributes: Attributes,
): { span: Span; run: (work: () => void) => void } | null {
  if (tracer === null) return null;
  const parent = propagation.extract(context.active(), headers);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const own = trace.setSpan(parent, span);
  return { span, run: (work) => context.with(own, work) };
}
