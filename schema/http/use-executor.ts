import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin, YogaInitialContext } from 'graphql-yoga';
import { type Context, viewerOf } from '../../src/context.ts';
import { type Explain, RETRY_AFTER_SECONDS } from '../../src/database-errors.ts';
import { ERRORS } from '../../src/errors.ts';
import { clearObject } from '../../src/lib/clear-object.ts';
import type { Charge } from '../../src/limits/rates/charge.ts';
import { INVALID, usageOf } from '../../src/limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../../src/limits/request-deadline.ts';
import { operationOf } from '../../src/observe/requests.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import type { DocumentRequest } from '../documents/document-request.ts';
import type { Documents } from '../documents/documents.ts';
import { isRefused, type Prepared, type Refused } from '../documents/prepare.ts';
import type { Executor } from '../execute.ts';
import { parseSubscription, toGraphqlError } from '../subscriptions/parse-subscription.ts';
import { streamResults } from '../subscriptions/result-stream.ts';
import { reportsCost } from './reports-cost.ts';
import { codeOf, type Run } from './run.ts';

export interface YogaExecutorOptions {
  executor: Executor;
  documents: Documents;
  contextOf: (request: FastifyRequest) => Promise<Context>;
  withDeadline: RequestDeadline;
  explain: Explain;
  realtime: Realtime;
  /** The current position of the event log; null while it is not known. */
  position: () => string | null;
  charge: Charge;
  run: Run;
}

export interface ServerContext {
  fastify: FastifyRequest;
  reply: FastifyReply;
  /** The document as prepared by the fast path, so that it is not prepared again. */
  entry: Prepared | Refused | null;
}

/** Lets Yoga parse, validate and execute through the executor. */
export function useExecutor({
  executor,
  documents,
  contextOf,
  withDeadline,
  explain,
  realtime,
  position,
  charge,
  run,
}: YogaExecutorOptions): Plugin<object, ServerContext> {
  return {
    async onParams({ context, params, setParams, setResult }) {
      context.entry ??= await documents.prepare(documentRequestOf(context.fastify, params));
      if (!context.entry) return;
      // Yoga requires a text, and refuses the parameters of ids.
      const { query, operationName, variables, extensions } = params;
      setParams({ query: query ?? '', operationName, variables, extensions } as GraphQLParams);
      if (!isRefused(context.entry) || context.entry.isMiss) return;
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
    onParse({ context, setParsedDocument, setParseFn }) {
      const { entry: prepared } = context as unknown as ServerContext;
      if (!prepared) throw new Error('The document was not prepared.');
      if (prepared.document) return setParsedDocument(prepared.document);
      (context as unknown as ServerContext).fastify.errorCode = isRefused(prepared)
        ? codeOf(prepared.errors)
        : 'BAD_REQUEST';
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
        const { fastify, params } = contextValue as ServerContext & YogaInitialContext;
        fastify.operation = operationOf('graphql', prepared.name);
        const { result, status, text, errorCode } = await run(
          prepared,
          variableValues,
          () => contextOf(fastify),
          fastify,
          { reportsCost: reportsCost(params.extensions, fastify.headers) },
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
          const { fastify, reply, params } = contextValue as ServerContext & YogaInitialContext;
          fastify.operation = operationOf('graphql', prepared.name);
          const context = await withDeadline(() => contextOf(fastify));
          await charge(fastify, context, usageOf(prepared));
          const subscribed = parseSubscription(executor, prepared, variableValues);
          if ('errors' in subscribed) return { errors: subscribed.errors };
          // The stream retains the request. The spec holds the variables that it uses.
          for (const part of [fastify.body, variableValues, params.extensions]) clearObject(part);
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

/** Yoga reads the standard parameters of a GET only. */
function documentRequestOf({ method, query }: FastifyRequest, params: DocumentRequest): DocumentRequest {
  if (method !== 'GET') return params;
  const { documentId, doc_id, id } = query as DocumentRequest;
  return { ...params, documentId, doc_id, id };
}
