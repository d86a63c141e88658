import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { WebSocket } from 'ws';
import type { Config } from '../../src/config.ts';
import { type Explain, RETRY_AFTER_SECONDS } from '../../src/database-errors.ts';
import { OperationError } from '../../src/errors.ts';
import { acceptMultipart } from '../../src/files/multipart-parts.ts';
import { NOT_SENT_AS_JSON, toOperationError } from '../../src/http/to-operation-error.ts';
import { HTTP_LIMITS } from '../../src/limits/limits.ts';
import { operationOf } from '../../src/observe/requests.ts';
import type { Documents } from '../documents/documents.ts';
import { isRefused, type Prepared } from '../documents/prepare.ts';
import { type mountGraphiql, wantsGraphiql } from '../graphiql.ts';
import { toGraphqlError } from '../subscriptions/parse-subscription.ts';
import { receiveUploads } from '../uploads/receive-uploads.ts';
import { acceptedType, type FastPath, fastPath } from './fast-path.ts';
import { refusal, refusedDocument } from './refusals.ts';
import { codeOf, createRun, type RunnerOptions } from './run.ts';
import { type ServerContext, useExecutor, type YogaExecutorOptions } from './use-executor.ts';

export interface GraphqlOptions extends RunnerOptions, Omit<YogaExecutorOptions, 'run'> {
  config: Pick<Config, 'FILE_LIMIT_MB'>;
  documents: Documents;
  /** Handles connections upgraded to a WebSocket. */
  socketHandler: (socket: WebSocket, request: FastifyRequest) => void;
  /** HTTP status with which an upgrade is rejected; null if it is accepted. */
  refuseUpgrade: (request: FastifyRequest) => number | null;
  /** Serves GraphiQL to browsers; null if it is disabled. */
  graphiql: ReturnType<typeof mountGraphiql> | null;
}

/**
 * `/graphql` over HTTP. A plain JSON POST takes a fast path to the executor; everything else (GraphiQL, GET,
 * errors before execution, unusual content types) goes through Yoga, which runs the same executor.
 */
export function mountGraphql(server: FastifyInstance, options: GraphqlOptions): void {
  const { executor, documents, graphiql, contextOf } = options;
  const errorHandler = createErrorHandler(options.explain);
  const run = createRun(options);
  const yoga = createYoga<ServerContext>({
    schema: executor.schema,
    graphqlEndpoint: '/graphql',
    // Fastify has limited the size of the body; Yoga's own limit would read it again.
    maxRequestBodySize: false,
    // The executor masks errors for all transports.
    maskedErrors: false,
    landingPage: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    parserAndValidationCache: false,
    graphiql: false,
    plugins: [useExecutor({ ...options, run })],
  });

  server.route({
    method: 'GET',
    url: '/graphql',
    errorHandler,
    config: { acceptsWebsockets: true },
    preHandler: async (request, reply) => {
      const refused = request.ws ? options.refuseUpgrade(request) : null;
      if (refused !== null) return reply.code(refused).send();
    },
    handler: async (request, reply) => {
      if (graphiql && wantsGraphiql(request)) return graphiql(request, reply);
      const malformed = malformedParameter(request);
      if (!malformed) return sendYoga(request, reply, null);
      return reply.code(400).send({ errors: [new GraphQLError(`${malformed} must be a JSON object.`)] });
    },
    wsHandler: options.socketHandler,
  });
  // A scope of its own: no other route of GraphQL accepts multipart bodies.
  void server.register(async (scope) => {
    await acceptMultipart(scope, { config: options.config, fieldSize: HTTP_LIMITS.bodyBytes });
    // A page can send text/plain to another origin without a preflight, so its body is not read as JSON.
    scope.addContentTypeParser<string>('text/plain', { parseAs: 'string' }, (_request, body, done) =>
      done(body === '' ? null : new OperationError('BAD_REQUEST', { message: NOT_SENT_AS_JSON }), undefined),
    );
    scope.route({
      method: ['POST', 'OPTIONS'],
      url: '/graphql',
      errorHandler,
      handler: async (request, reply) => {
        if (request.isMultipart()) return runUpload(request, reply);
        if (request.method === 'POST' && !isFilledObject(request.body)) {
          const isMissing = request.body === undefined || request.body === null;
          if (Array.isArray(request.body)) return reply.code(400).send({ errors: [toGraphqlError(BATCH_REFUSAL)] });
          const message = isMissing ? 'POST body is missing.' : 'The POST body must be a JSON object with a query.';
          return reply.code(400).send({ errors: [new GraphQLError(message)] });
        }
        const fast = await fastPath(documents, request);
        const entry = fast?.entry ?? null;
        if (!fast || !entry || isRefused(entry) || entry.operation.operation === 'subscription')
          return sendYoga(request, reply, entry);
        return runPrepared(request, reply, { ...fast, entry });
      },
    });
  });

  async function runPrepared(
    request: FastifyRequest,
    reply: FastifyReply,
    { entry, variables, reportsCost, contentType }: Omit<FastPath, 'entry'> & { entry: Prepared },
  ): Promise<string | Buffer> {
    request.operation = operationOf('graphql', entry.name);
    const answer = await run(entry, variables, () => contextOf(request), request, { reportsCost });
    request.errorCode = answer.errorCode;
    const { status, text } = answer.isRefused && answer.status === 200 ? refusal(answer) : answer;
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
    reply.code(status).header('content-type', `${contentType}; charset=utf-8`);
    return text;
  }

  async function runUpload(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer> {
    const contentType = acceptedType(request.headers.accept) ?? 'application/json';
    const received = await receiveUploads(request, options);
    if ('errors' in received) {
      request.errorCode = codeOf(received.errors);
      const { status, text } = refusedDocument(received, contentType);
      reply.code(status).header('content-type', `${contentType}; charset=utf-8`);
      return text;
    }
    try {
      return await runPrepared(request, reply, { ...received, contentType });
    } finally {
      await received.discard();
    }
  }

  async function sendYoga(
    request: FastifyRequest,
    reply: FastifyReply,
    entry: ServerContext['entry'],
  ): Promise<FastifyReply> {
    request.operation = operationOf('graphql', entry && !isRefused(entry) ? entry.name : UNNAMED);
    const response = await yoga.handleNodeRequestAndResponse(request, reply, { fastify: request, reply, entry });
    for (const [name, value] of response.headers) reply.header(name, value);
    // Otherwise a proxy would buffer events.
    if (/^text\/event-stream\b/.test(response.headers.get('content-type') ?? ''))
      reply.header('x-accel-buffering', 'no');
    return reply.code(response.status).send(response.body);
  }
}

/** One answer to several operations would wait for the slowest and share one status, and HTTP/2 sends them concurrently. */
const BATCH_REFUSAL = new OperationError('BAD_REQUEST', {
  message: 'Batches of operations are not supported: send each operation in a request of its own.',
});

/** The operation of a request whose document is not known or not valid. */
const UNNAMED = 'other';

/** Answers requests that fail before an operation is executed, such as those with a body that is too large. */
function createErrorHandler(explain: Explain) {
  return (error: FastifyError | OperationError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toOperationError(explain(error) ?? error, request);
    const { errorName, httpStatus } = known;
    request.errorCode = errorName;
    if (errorName === 'UNAVAILABLE') reply.header('retry-after', RETRY_AFTER_SECONDS);
    const contentType = acceptedType(request.headers.accept) ?? 'application/json';
    return reply
      .code(httpStatus)
      .header('content-type', `${contentType}; charset=utf-8`)
      .send(JSON.stringify({ errors: [toGraphqlError(known)] }));
  };
}

/** Given any other parsed body, Yoga would wait for its bytes forever. */
function isFilledObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length > 0;
}

/** Yoga answers 500 for JSON in a query string that it cannot parse. */
function malformedParameter({ query }: FastifyRequest): string | null {
  for (const name of ['variables', 'extensions']) {
    const text = (query as Record<string, unknown>)[name];
    if (text === undefined || text === '') continue;
    try {
      if (typeof JSON.parse(String(text)) !== 'object') return name;
    } catch {
      return name;
    }
  }
  return null;
}
