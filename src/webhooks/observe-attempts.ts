import { SpanKind } from '@opentelemetry/api';
import { webhookSeconds } from '../observe/metrics/definitions.ts';
import { fail, inSpan, traceHeaders } from '../observe/tracing/tracer.ts';
import { outcomeOf } from './outcome.ts';
import type { Send } from './send.ts';

/** Measures and traces the attempts of a sender. Receivers continue the trace by its `traceparent`. */
export function observeAttempts(send: Send): Send {
  return (call) =>
    // Not the URL: operators see endpoints by their ids only.
    inSpan({ name: `${call.method} webhook`, kind: SpanKind.CLIENT, isRoot: true }, async (span) => {
      const startedAt = performance.now();
      const answer = await send(span ? { ...call, headers: { ...call.headers, ...traceHeaders() } } : call);
      const { kind } = outcomeOf(answer, new Date());
      webhookSeconds.with(kind).observe((performance.now() - startedAt) / 1_000);
      if (span && answer.status !== null) span.setAttribute('http.response.status_code', answer.status);
      if (span && kind !== 'delivered') fail(span, kind);
      return answer;
    });
}
