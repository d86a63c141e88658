import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { WebSocket } from 'ws';
import type { Answer, AnswerCache } from '../src/answers/answer-cache.ts';
import type { Config } from '../src/config.ts';
import { type Context, viewerOf } from '../src/context.ts';
import { type Explain, RETRY_AFTER_SECONDS } from '../src/database-errors.ts';
import { ERRORS, OperationError } from '../src/errors.ts';
import { acceptMultipart } from '../src/files/multipart-parts.ts';
import { toOperationError } from '../src/http/to-operation-error.ts';
import type { Admission } from '../src/limits/admission.ts';
import { toAnswerText } from '../src/limits/answer-text.ts';
import { HTTP_LIMITS } from '../src/limits/limits.ts';
import type { Charge, Peer } from '../src/limits/rates/charge.ts';
import { INVALID, usageOf } from '../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../src/limits/request-deadline.ts';
import { operationOf } from '../src/observe/requests.ts';
import type { Realtime } from '../src/realtime/realtime.ts';
import { type Executor, isRefused, type Prepared, type Refused, type RunOptions } from './execute.ts';
import { type mountGraphiql, wantsGraphiql } from './graphiql.ts';
import { parseSubscription, toGraphqlError } from './subscriptions/parse-subscription.ts';
import { streamResults } from './subscriptions/result-stream.ts';
import { receiveUploads } from './uploads/receive-uploads.ts';

export interface GraphqlOptions {
  config: Pick<Config, 'FILE_LIMIT_MB'>;
  executor: Executor;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  admission: Admission;
  charge: Charge;
  answers: AnswerCache;
  withDeadline: RequestDeadline;
  explain: Explain;
  realtime: Realtime;
  /** The current position of the event log; null while it is not known. */
  position: () => string | null;
  /** Handles connections upgraded to a WebSocket. */
  socketHandler: (socket: WebSocket, request: FastifyRequest) => void;
  /** HTTP status with which an upgrade is rejected; null if it is accepted. */
  refuseUpgrade: (request: FastifyRequest) => number | null;
  /** Serves GraphiQL to browsers; null if it is disabled. */
  graphiql: ReturnType<typeof mountGraphiql> | null;
}

interface ServerContext {
  fastify: FastifyRequest;
  reply: FastifyReply;
  /** The document as prepared by the fast path, so that it is not prepared again. */
  entry: Prepared | Refused | null;
}

/**
 * `/graphql` over HTTP. A plain JSON POST takes a fast path to the executor; everything else (GraphiQL, GET,
 * errors before execution, unusual content types) goes through Yoga, which runs the same executor.
 */
export function mountGraphql(server: FastifyInstance, options: GraphqlOptions): void {
  const { executor, graphiql, contextOf } = options;
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
    plugins: [useExecutor(options, run)],
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
        const fast = await fastPath(executor, request);
        const entry = fast?.entry ?? null;
        if (!fast || !entry || isRefused(entry) || entry.operation.operation === 'subscription')
          return sendYoga(request, reply, entry);
        return runPrepared(request, reply, { entry, variables: fast.variables, contentType: fast.contentType });
      },
    });
  });

  async function runPrepared(
    request: FastifyRequest,
    reply: FastifyReply,
    { entry, variables, contentType }: Omit<FastPath, 'entry'> & { entry: Prepared },
  ): Promise<string | Buffer> {
    request.operation = operationOf('graphql', entry.name);
    const answer = await run(entry, variables, () => contextOf(request), request);
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
    const { errorName, httpStatus, message } = toOperationError(explain(error) ?? error, request);
    request.errorCode = errorName;
    if (errorName === 'UNAVAILABLE') reply.header('retry-after', RETRY_AFTER_SECONDS);
    const contentType = acceptedType(request.headers.accept) ?? 'application/json';
    return reply
      .code(httpStatus)
      .header('content-type', `${contentType}; charset=utf-8`)
      .send(JSON.stringify({ errors: [{ message, extensions: { code: errorName } }] }));
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

interface Answered {
  /** HTTP status, unless Yoga sets another. */
  status: number;
  /** The result as JSON. */
  text: string | Buffer;
  /** Whether the operation was rejected before it was executed. */
  isRefused: boolean;
  /** Code of the first error, or of the error that a mutation returned as data. */
  errorCode: string | null;
  /** The result; parsed from its text when the answer is a kept one. */
  readonly result: ExecutionResult;
}

export type Run = (
  prepared: Prepared,
  variables: RunOptions['variables'],
  contextOf: () => Promise<Context>,
  peer: Peer,
) => Promise<Answered>;

/**
 * Authenticates the request and runs the operation. A result that is incomplete because the database was unavailable has
 * status 503 even if parts of it are present, so that clients do not take it for complete and retry.
 */
export function createRun({
  executor,
  admission,
  answers,
  withDeadline,
  explain,
  charge,
}: Pick<GraphqlOptions, 'executor' | 'admission' | 'answers' | 'withDeadline' | 'explain' | 'charge'>): Run {
  return async (prepared, variables, contextOf, peer) => {
    const slot = admission();
    try {
      return await withDeadline(async () => {
        try {
          const context = await contextOf();
          await charge(peer, context, usageOf(prepared));
          context.reads.slot = slot;
          const execute = (executing: Context) => executeToText(executor, prepared, { variables, context: executing });
          const key = answerKey(prepared, variables);
          if (key === null) return await execute(context);
          const answer = await answers.answer({ key, context, execute });
          return 'isKept' in answer ? fromText(answer.text) : answer;
        } finally {
          slot.close();
        }
      });
    } catch (error) {
      // An invalid token, an unavailable database and a too large result become GraphQL errors; others are rethrown.
      const known = error instanceof OperationError ? error : explain(error);
      if (!known) throw error;
      const code = known instanceof OperationError ? known.errorName : 'UNAVAILABLE';
      const result = { errors: [toGraphqlError(known)] };
      return { result, status: ERRORS[code].http, text: JSON.stringify(result), isRefused: true, errorCode: code };
    }
  };
}

async function executeToText(executor: Executor, prepared: Prepared, options: RunOptions): Promise<Answered & Answer> {
  const result = await executor.run(prepared, options);
  const isComplete = !result.errors?.some((error) => error.extensions?.code === 'UNAVAILABLE');
  return {
    result,
    status: isComplete ? 200 : ERRORS.UNAVAILABLE.http,
    text: await toAnswerText(result),
    isRefused: result.data === undefined,
    errorCode: result.errors ? codeOf(result.errors) : options.context.outcome.errorCode,
    isKeepable: result.errors === undefined,
  };
}

/** The code of the first error. Errors of the document and its variables have none. */
function codeOf(errors: readonly GraphQLError[]): string {
  const code = errors[0]?.extensions?.code;
  return typeof code === 'string' && code in ERRORS ? code : 'BAD_REQUEST';
}

function fromText(text: Buffer): Answered {
  return {
    status: 200,
    text,
    isRefused: false,
    errorCode: null,
    get result() {
      return JSON.parse(String(text)) as ExecutionResult;
    },
  };
}

const ids = new WeakMap<Prepared, number>();
let lastId = 0;

/** Identifies a query with its variables; null for other operations, whose answers are not kept. */
function answerKey(prepared: Prepared, variables: RunOptions['variables']): string | null {
  if (prepared.operation.operation !== 'query') return null;
  const text = JSON.stringify(variables ?? null);
  // JSON has no infinite numbers, but `1e999` is read as one.
  if (text.includes('null') && hasInfinity(variables)) return null;
  let id = ids.get(prepared);
  if (id === undefined) {
    lastId += 1;
    id = lastId;
    ids.set(prepared, id);
  }
  return `${prepared.operation.name?.value ?? 'query'} ${id} ${text}`;
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The response to an operation that was not executed. Its status is in the errors, in the form that Yoga reads. */
function refusal({ result }: Pick<Answered, 'result'>): Pick<Answered, 'status' | 'text'> {
  const statuses = (result.errors ?? []).map(
    ({ extensions }) => (extensions.http as { status?: number })?.status ?? 200,
  );
  const errors = (result.errors ?? []).map((error) => {
    const { extensions, ...shown } = error.toJSON();
    const { http: _, ...rest } = extensions ?? {};
    return Object.keys(rest).length > 0 ? { ...shown, extensions: rest } : shown;
  });
  const status = Math.max(...statuses);
  return { status, text: JSON.stringify({ errors }) };
}

/** The response to a document that is not valid, in the form of Yoga: its status is 200 for clients of plain JSON. */
function refusedDocument({ errors, document }: Refused, contentType: string): Pick<Answered, 'status' | 'text'> {
  const code = document ? 'GRAPHQL_VALIDATION_FAILED' : 'GRAPHQL_PARSE_FAILED';
  const result = { errors: errors.map((error) => withCode(error, code)) };
  const refused = refusal({ result });
  const status = refused.status === 200 && contentType !== 'application/json' ? 400 : refused.status;
  return { status, text: refused.text };
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(error.message, { nodes: error.nodes ?? null, extensions: { code, ...error.extensions } });
}

interface FastPath {
  entry: Prepared | Refused;
  variables: { [name: string]: unknown } | null;
  contentType: string;
}

/** The common case: a JSON POST from a client that takes JSON. */
async function fastPath(executor: Executor, { method, headers, body }: FastifyRequest): Promise<FastPath | null> {
  if (method !== 'POST' || !/^application\/json\b/.test(headers['content-type'] ?? '')) return null;
  const contentType = acceptedType(headers.accept);
  if (!contentType || typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { query, variables, operationName, extensions } = body as { [name: string]: unknown };
  if (typeof query !== 'string' || extensions !== undefined) return null;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables)))
    return null;
  const entry = await executor.prepareInTurn(query, operationName ?? null);
  return { entry, variables: (variables as FastPath['variables']) ?? null, contentType };
}

function acceptedType(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  return accept.includes('application/graphql-response+json') ? 'application/graphql-response+json' : null;
}

/** Lets Yoga parse, validate and execute through the executor. */
function useExecutor(
  { executor, contextOf, withDeadline, explain, realtime, position, charge }: GraphqlOptions,
  run: Run,
): Plugin<object, ServerContext> {
  return {
    async onParams({ context, params: { query, operationName }, setResult }) {
      if (typeof query === 'string') context.entry ??= await executor.prepareInTurn(query, operationName ?? null);
      if (!context.entry || !isRefused(context.entry)) return;
      try {
        // For the address, because the session is not read for a document that is not executed.
        await charge(context.fastify, { viewer: null }, INVALID);
      } catch (error) {
        context.fastify.errorCode = 'RATE_LIMITED';
        const { message, extensions } = toGraphqlError(error);
        const http = { status: ERRORS.RATE_LIMITED.http };
        setResult({ errors: [new GraphQLError(message, { extensions: { ...extensions, http } })] });
      }
    },
    onParse({ context, params, setParsedDocument, setParseFn }) {
      const { entry, params: request } = context as unknown as ServerContext & YogaInitialContext;
      const prepared = entry ?? executor.prepare(String(params.source), request.operationName ?? null);
      if (prepared.document) return setParsedDocument(prepared.document);
      (context as unknown as ServerContext).fastify.errorCode = 'BAD_REQUEST';
      // Otherwise Yoga would parse it again, without our limits.
      setParseFn(() => {
        throw isRefused(prepared) ? prepared.errors[0] : new GraphQLError('The document could not be read.');
      });
    },
    onValidate({ context, params, setResult }) {
      const prepared = executor.preparedOf(params.documentAST);
      const isInvalid = prepared !== undefined && isRefused(prepared);
      if (isInvalid) (context as unknown as ServerContext).fastify.errorCode = codeOf(prepared.errors);
      setResult(isInvalid ? [...prepared.errors] : []);
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(async ({ document, contextValue, variableValues }: ExecutionArgs) => {
        const prepared = executor.preparedOf(document);
        if (!prepared || isRefused(prepared)) throw new Error('The document was not prepared.');
        const { fastify } = contextValue as ServerContext;
        fastify.operation = operationOf('graphql', prepared.name);
        const { result, status, text, errorCode } = await run(
          prepared,
          variableValues,
          () => contextOf(fastify),
          fastify,
        );
        fastify.errorCode = errorCode;
        if (status === 200) return result.data === undefined ? result : { ...result, stringify: () => String(text) };
        const headers = status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
        return { ...result, extensions: { ...result.extensions, http: { status, headers } } };
      });
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async ({ document, contextValue, variableValues }: ExecutionArgs) => {
        const prepared = executor.preparedOf(document);
        if (!prepared || isRefused(prepared)) throw new Error('The document was not prepared.');
        try {
          const { fastify, reply } = contextValue as ServerContext;
          fastify.operation = operationOf('graphql', prepared.name);
          const context = await withDeadline(() => contextOf(fastify));
          await charge(fastify, context, usageOf(prepared));
          const subscribed = parseSubscription(executor, prepared, variableValues);
          if ('errors' in subscribed) return { errors: subscribed.errors };
          const cut = () => {
            if (!reply.raw.writableFinished) reply.raw.destroy();
          };
          const cursor = position();
          const stream = streamResults(realtime, viewerOf(context), subscribed, { socket: fastify.raw.socket, cut });
          // A subscription that breaks before its first event resumes here.
          if (cursor !== null) reply.header('event-cursor', cursor);
          // The client may have disconnected before the stream opened.
          if (reply.raw.destroyed) await stream.return();
          else reply.raw.once('close', () => void stream.return());
          return stream;
        } catch (error) {
          return { errors: [toGraphqlError(explain(error) ?? error)] };
        }
      });
    },
  };
}
