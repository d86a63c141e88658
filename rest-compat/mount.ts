import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '../schema/execute.ts';
import type { AnswerCache } from '../src/answers/answer-cache.ts';
import type { Context } from '../src/context.ts';
import { type Explain, RETRY_AFTER_SECONDS, type UnavailableError } from '../src/database-errors.ts';
import { OperationError } from '../src/errors.ts';
import { NOT_SENT_AS_JSON, toOperationError } from '../src/http/to-operation-error.ts';
import type { Admission } from '../src/limits/admission.ts';
import { joinPieces } from '../src/limits/answer-text.ts';
import { exceededByJson } from '../src/limits/json-limits.ts';
import { type LimitName, limitExceeded } from '../src/limits/limits.ts';
import type { Charge } from '../src/limits/rates/charge.ts';
import { RateLimitError } from '../src/limits/rates/rate-limits.ts';
import type { RequestDeadline } from '../src/limits/request-deadline.ts';
import { type Operation, operationOf } from '../src/observe/requests.ts';
import { prepareRoute } from './answer.ts';
import { errorBody } from './error-body.ts';
import { bodyPieces } from './record-text.ts';
import { ROUTES } from './routes.ts';

export interface RestOptions {
  executor: Executor;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  /** @throws {OperationError} for an X-API-Key that is not that of the viewer's network */
  checkApiKey: (context: Context) => Promise<void>;
  admission: Admission;
  answers: AnswerCache;
  withDeadline: RequestDeadline;
  charge: Charge;
}

/** Mounts every route of the REST interface. */
export function mountRest(
  server: FastifyInstance,
  { executor, contextOf, checkApiKey, admission, answers, withDeadline, charge }: RestOptions,
): void {
  acceptBodies(server);
  for (const route of ROUTES) {
    const { answer, usage } = prepareRoute(executor, route);
    let operation: Operation | undefined;
    server.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        // Most routes of a gateway are never used: the metrics of each are created at its first request.
        operation ??= operationOf('rest', `${route.method} ${route.path}`);
        request.operation = operation;
        const raw = {
          path: request.params as Record<string, unknown>,
          query: request.query as Record<string, unknown>,
          body: request.body,
        };
        const slot = admission();
        const text = await withDeadline(async () => {
          try {
            const context = await contextOf(request);
            context.reads.slot = slot;
            context.idempotencyKey = headerOf(request, 'idempotency-key');
            await charge(request, context, usage());
            if (!route.open && !context.viewer) throw new OperationError('UNAUTHORIZED');
            if (route.apiKey === 'checked') await checkApiKey(context);
            const execute = async (executing: Context) => ({
              text: await joinPieces(bodyPieces(await answer(raw, executing)), 'answerBytes'),
              isKeepable: true,
            });
            if (route.method === 'GET' && raw.body === undefined) {
              const key = `GET ${request.url}`;
              return (await answers.answer({ key, context, execute })).text;
            }
            const { text } = await execute(context);
            if (context.isReplay) reply.header('idempotent-replayed', 'true');
            return text;
          } finally {
            slot.close();
          }
        });
        reply.header('content-type', 'application/json; charset=utf-8');
        return text;
      },
    });
  }
}

/** Answers every error with the error body of the interface. Routes declared before this call keep Fastify's handlers. */
export function mountErrors(server: FastifyInstance, explain: Explain): void {
  server.setErrorHandler((error: FastifyError | OperationError, request, reply) =>
    sendError(explain(error) ?? error, request, reply),
  );
  server.setNotFoundHandler((request, reply) =>
    sendError(
      new OperationError('NOT_FOUND', { message: `There is no ${request.method} ${request.url.split('?')[0]}.` }),
      request,
      reply,
    ),
  );
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** In characters. */
const LONG_BODY = 32_768;

/** Accepts any content type without a body; a body must be JSON: `docs/interface.md#requests`. */
function acceptBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined);
    const excess = exceededByJson(body);
    if (excess) return done(excessError(excess), undefined);
    // Parsing a long body took long enough: handle it in a later turn of the event loop.
    const isLong = body.length > LONG_BODY;
    parseJson(request, body, isLong ? (error, value) => void setImmediate(done, error, value) : done);
  });
  server.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    done(new OperationError('INVALID_PARAMETERS', { detail: [NOT_SENT_AS_JSON] }), undefined);
  });
}

function excessError(limit: LimitName): OperationError {
  return new OperationError(limit === 'jsonDepth' ? 'BAD_REQUEST' : 'TOO_LARGE', { message: limitExceeded(limit) });
}

/** Sends the error body of the interface for any error, including those of the HTTP layer. */
export function sendError(
  error: FastifyError | OperationError | UnavailableError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answered = toOperationError(error, request);
  request.errorCode = answered.errorName;
  if (answered instanceof RateLimitError) request.quota = answered.quota;
  if (answered.errorName === 'UNAVAILABLE') reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .code(answered.httpStatus)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(answered));
}
