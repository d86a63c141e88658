import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, isTracing, startRequestSpan } from './tracer.ts';

const FIRST_SERVER_ERROR = 500;

/** Traces every HTTP request, if tracing is on. */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, NonNullable<ReturnType<typeof startRequestSpan>>>();
  server.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions, is404, url } = request;
    const route = is404 ? undefined : routeOptions.url;
    const started = startRequestSpan(route === undefined ? method : `${method} ${route}`, headers, {
      'http.request.method': method,
      'url.path': url.replace(/\?.*/s, ''),
      ...(route !== undefined && { 'http.route': route }),
    });
    if (!started) return done();
    spans.set(request, started);
    started.run(done);
  });
  // Reading a body loses the context, which belongs to the turn of the event loop in which the headers arrived.
  server.addHook('preValidation', (request, _reply, done) => {
    const started = spans.get(request);
    if (started) started.run(done);
    else done();
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request)?.span;
    span?.setAttribute('http.response.status_code', statusCode);
    if (span && statusCode >= FIRST_SERVER_ERROR) fail(span, request.errorCode ?? String(statusCode));
    span?.end();
    done();
  });
  // A client that disconnects receives no response.
  server.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.span.end();
    done();
  });
}
