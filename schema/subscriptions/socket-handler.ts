import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { makeServer, type SubscribeMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Context, Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Cursor } from '../../src/events/cursor.ts';
import type { Hub } from '../../src/events/hub.ts';
import { releaseUpgrade } from '../../src/http/websockets.ts';
import { bearerToken } from '../../src/lib/bearer-token.ts';
import { clearObject } from '../../src/lib/clear-object.ts';
import { exceededByJson } from '../../src/limits/json-limits.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Charge, Peer } from '../../src/limits/rates/charge.ts';
import { INVALID, usageOf } from '../../src/limits/rates/operation-usage.ts';
import { type EndOperation, operationOf } from '../../src/observe/requests.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { TEXT } from '../../src/realtime/socket-outbox.ts';
import type { Documents } from '../documents/documents.ts';
import { isRefused, type Prepared } from '../documents/prepare.ts';
import type { Executor, RunOptions } from '../execute.ts';
import { reportsCost } from '../http/reports-cost.ts';
import { createEmptyStream } from './empty-stream.ts';
import { createMessageQueue } from './message-queue.ts';
import {
  type ParsedSubscription,
  parseSubscription,
  toGraphqlError,
  undeliverableResult,
} from './parse-subscription.ts';
import {
  closeFor,
  createSocketConnection,
  type SocketConnection,
  sendText,
  startHeartbeat,
} from './socket-connection.ts';
import { admit, type Operation, tooManyOperations } from './socket-operation.ts';

export interface SocketOptions {
  executor: Executor;
  documents: Documents;
  realtime: Realtime;
  hub: Hub;
  /** The viewer of a token. @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED */
  authenticate(token: string | null, peer: { ip: string; stream: Socket }): Promise<Viewer | null>;
  /** Creates the context of one query or mutation and starts its timeout. */
  contextOf(token: string | null, peer: { ip: string }): Promise<Context>;
  /** Executes an operation as over HTTP, with masked errors and a timeout. */
  run(
    prepared: Prepared,
    variables: RunOptions['variables'],
    contextOf: () => Promise<Context>,
    peer: Peer,
    options: Pick<RunOptions, 'reportsCost'>,
  ): Promise<{ readonly result: ExecutionResult; text: string | Buffer; isRefused: boolean; errorCode: string | null }>;
  charge: Charge;
  /** Counts an operation against the rate limit of its client. @throws {OperationError} RATE_LIMITED */
  countOperation(peer: { ip: string }): Promise<void>;
  endOperation: EndOperation;
}

/**
 * The result of an operation whose id the client completed and reused. It never settles, because the library would
 * complete the later operation with it. Each call creates a promise: a shared one would retain all of its handlers.
 */
const superseded = (): Promise<never> => new Promise(() => undefined);

const LONG_ID = `The id of an operation has at most ${LIVE_LIMITS.operationId} characters.`;

type SubscribePayload = { -readonly [Name in keyof SubscribeMessage['payload']]: SubscribeMessage['payload'][Name] };
type Extra = { connection: SocketConnection };

/**
 * Handles GraphQL over WebSocket (`graphql-transport-ws`): queries, mutations and subscriptions. graphql-ws implements
 * the protocol; events bypass it as text that is rendered once for all subscribers.
 */
export function createSocketHandler(
  server: FastifyInstance,
  options: SocketOptions,
): (socket: WebSocket, request: FastifyRequest) => void {
  const { executor, documents, realtime, hub } = options;
  const connections = new Set<SocketConnection>();
  const payloadOf = createPayloadEncoder();
  const stopHeartbeat = startHeartbeat(connections, () => hub.position);
  server.addHook('onClose', async () => stopHeartbeat());

  const protocol = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: LIVE_LIMITS.initMs,
    async onConnect(context) {
      const { connection } = context.extra;
      const token = tokenOf(context.connectionParams) ?? connection.token;
      // The library would retain them as long as the socket.
      Reflect.deleteProperty(context, 'connectionParams');
      try {
        await authenticateConnection(connection, token);
        // A subscription that breaks before its first event resumes here.
        return hub.position === null ? {} : { cursor: hub.position };
      } catch (error) {
        const reason = error instanceof OperationError ? error : new OperationError('UNAVAILABLE');
        if (reason.errorName === 'UNAVAILABLE') connection.socket.close(1013, 'Try again later');
        else closeFor(connection.socket, reason);
      }
      return {};
    },
    onPing: ({ extra }) => void markAlive(extra),
    onPong: ({ extra }) => void markAlive(extra),
    async onSubscribe({ extra, subscriptions }, id, payload) {
      const { connection } = extra;
      const reservation = {};
      connection.reserved.set(id, reservation);
      const prepared = await prepare(extra, subscriptions, { id, payload, reservation });
      if (connection.reserved.get(id) !== reservation) return superseded();
      // A query keeps its reservation until it was executed, so that its result is not sent for a later operation.
      if (Array.isArray(prepared) || (prepared as Operation).subscribed) connection.reserved.delete(id);
      return prepared as unknown as ExecutionArgs;
    },
    execute: async (args) => {
      const operation = args as unknown as Operation;
      const { connection, id, reservation, prepared, variableValues } = operation;
      let answer: Awaited<ReturnType<SocketOptions['run']>>;
      try {
        answer = await options.run(
          prepared,
          variableValues,
          () => options.contextOf(connection.token, connection.peer),
          connection.peer,
          { reportsCost: operation.reportsCost },
        );
      } finally {
        connection.operations.delete(operation);
      }
      end(operation, answer.errorCode);
      if (answer.isRefused && answer.errorCode === 'RATE_LIMITED') connection.messages?.countRefusal();
      if (connection.reserved.get(id) !== reservation) return superseded();
      connection.reserved.delete(id);
      if (!answer.isRefused) return sentResult(operation, String(answer.text));
      const { result } = answer;
      return { ...result, errors: result.errors!.map(withoutStatus) };
    },
    subscribe: async (args) => {
      const operation = args as unknown as Operation;
      const stream = startSubscription(operation);
      end(operation, null);
      return stream;
    },
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) =>
        withoutStatus(wrapsThrownError(error) ? toGraphqlError(error.originalError) : error).toJSON(),
      ),
  });

  function end({ prepared, startedAt }: Operation, errorCode: string | null): void {
    options.endOperation(operationOf('graphql-ws', prepared.name), startedAt, errorCode);
  }

  /** Reports an operation that is not executed. @returns its errors */
  function refuse(errors: readonly GraphQLError[], startedAt: number): GraphQLError[] {
    const code = errors[0]?.extensions?.code;
    const errorCode = typeof code === 'string' ? code : 'BAD_REQUEST';
    options.endOperation(operationOf('graphql-ws', 'other'), startedAt, errorCode);
    return [...errors];
  }

  /** Prepares the operation of a subscribe message. @returns the errors of a rejected one */
  async function prepare(
    { connection }: Extra,
    subscriptions: object,
    { id, payload, reservation }: { id: string; payload: SubscribePayload; reservation: object },
  ): Promise<Operation | GraphQLError[]> {
    const startedAt = performance.now();
    const arrivedAt = realtime.fanOut.position;
    const { query, variables, extensions } = payload;
    const refused = (errors: readonly GraphQLError[]) => refuse(errors, startedAt);
    if (!connection.session) return refused([toGraphqlError(new OperationError('UNAUTHORIZED'))]);
    try {
      // Before the document is parsed, which costs more than counting.
      const inProgress = Object.keys(subscriptions).length;
      if (inProgress > LIVE_LIMITS.subscriptions + LIVE_LIMITS.operations) throw tooManyOperations();
      await options.countOperation(connection.peer);
      if (connection.socket.readyState !== connection.socket.OPEN)
        return [toGraphqlError(new OperationError('UNAVAILABLE'))];
      // The protocol requires a text, which is empty for a document that is named by its id.
      const prepared = (await documents.prepare(payload))!;
      const isCurrent = () =>
        connection.reserved.get(id) === reservation &&
        id in subscriptions &&
        connection.socket.readyState === connection.socket.OPEN;
      if (!isCurrent()) return [toGraphqlError(new OperationError('UNAVAILABLE'))];
      if (isRefused(prepared)) {
        if (!prepared.isMiss) await options.charge(connection.peer, connection.session, INVALID);
        return refused(prepared.errors);
      }
      // The library retains the payload as long as the subscription: only with the document, which others share.
      clearObject(payload);
      payload.query = prepared.document.loc?.source.body ?? query;
      const isSubscription = prepared.operation.operation === 'subscription';
      const subscribed = isSubscription ? parseSubscription(executor, prepared, variables) : null;
      if (subscribed && 'errors' in subscribed) return refused(subscribed.errors);
      // Other operations are counted when they run.
      if (subscribed) {
        await options.charge(connection.peer, connection.session, usageOf(prepared));
        await connection.session.check();
      }
      if (!isCurrent()) return [toGraphqlError(new OperationError('UNAVAILABLE'))];
      const operation: Operation = {
        schema: executor.schema,
        document: prepared.document,
        operationName: prepared.operation.name?.value ?? null,
        connection,
        startedAt,
        id,
        reservation,
        prepared,
        subscribed: subscribed && startingAt(subscribed, arrivedAt),
        // The library retains the operation too; the spec of a subscription holds the variables that it uses.
        variableValues: subscribed ? null : (variables ?? null),
        reportsCost: reportsCost(extensions),
      };
      // Nothing may fail after this until execution, which releases the admission: the library finds the operation by name.
      admit(operation, subscriptions, () => realtime.subscriptionQuota.acquire(connection.session!.viewer));
      return operation;
    } catch (error) {
      if (error instanceof OperationError && error.errorName === 'RATE_LIMITED') connection.messages?.countRefusal();
      return refused([toGraphqlError(error)]);
    }
  }

  async function authenticateConnection(connection: SocketConnection, token: string | null): Promise<void> {
    const viewer = await options.authenticate(token, connection.peer);
    if (!viewer) throw new OperationError('UNAUTHORIZED');
    const release = realtime.connectionQuota.acquire(viewer);
    connection.closers.push(release);
    if (connection.socket.readyState !== connection.socket.OPEN) return release();
    const session = realtime.sessions.acquire(viewer);
    connection.token = token;
    connection.session = session;
    session.onEnd((reason) => closeFor(connection.socket, reason));
    connection.closers.push(() => session.release());
  }

  /** Sends a serialized result. The library receives none and completes the operation. */
  async function* sentResult({ connection, id }: Operation, text: string): AsyncGenerator<never, void, void> {
    sendText(connection, `{"id":${JSON.stringify(id)},"type":"next","payload":${text}}`);
    yield* [];
  }

  /** Starts a subscription when its message arrived: events may have been read from the log since. */
  function startingAt(subscribed: ParsedSubscription, arrivedAt: Cursor | null): ParsedSubscription {
    if (subscribed.after !== null || arrivedAt === realtime.fanOut.position) return subscribed;
    return { spec: subscribed.spec, after: arrivedAt };
  }

  /** Delivers events itself; the library iterates an empty stream until the subscription ends. */
  function startSubscription({ connection, id, subscribed }: Operation): AsyncGenerator<never, void, void> {
    const { spec, after } = subscribed!;
    // A copy: the buffer is a part of the pool of Node.js, of which each subscription would retain kilobytes.
    const prefix = new Uint8Array(Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`));
    const deliver = (text: string) => void connection.outbox.push({ opcode: TEXT, prefix, payload: payloadOf(text) });
    const release = connection.quotaReleases.get(id);
    const stream = createEmptyStream(() => {
      subscription.close();
      release?.();
      if (connection.subscriptions.get(id) === subscription) connection.subscriptions.delete(id);
    });
    const subscription = realtime.fanOut.subscribe(
      spec,
      {
        session: connection.session!,
        deliver,
        onUndeliverable: (event) => deliver(undeliverableResult(event)),
        isSlow: () => connection.outbox.isSlow(),
        onLost: (reason) => stream.fail(reason),
      },
      after,
    );
    connection.subscriptions.get(id)?.close();
    connection.subscriptions.set(id, subscription);
    return stream;
  }

  return (socket, request) => {
    const connection = createSocketConnection(socket, releaseUpgrade(socket, request));
    connection.token = bearerToken(request.headers.authorization) ?? request.cookieSession?.socketToken() ?? null;
    connections.add(connection);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: async (text) => sendText(connection, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) => {
          const messages = createMessageQueue({
            handle(text) {
              if (socket.readyState !== socket.OPEN) return;
              const parsed = exceededByJson(text) ? null : parseJson(text);
              if (parsed === null) return socket.close(4400, 'Invalid message');
              const { type, id, payload } = parsed as { [name: string]: unknown };
              if (typeof id === 'string' && id.length > LIVE_LIMITS.operationId) return socket.close(4400, LONG_ID);
              // The library accepts parsed messages too. It would retain the text as long as the subscription.
              handle({ type, id, payload } as unknown as string).catch((error: unknown) => {
                server.log.warn(
                  { reqId: connection.peer.reqId, err: error },
                  'a WebSocket message could not be handled',
                );
                socket.close(4400, 'Invalid message');
              });
            },
            onFull: () => socket.pause(),
            onSpace: () => socket.resume(),
            onFlood: (reason) => socket.close(4429, reason),
          });
          connection.messages = messages;
          connection.closers.push(() => messages.clear());
          socket.on('message', (data) => {
            markAlive({ connection });
            messages.push(String(data));
          });
        },
      },
      { connection },
    );
    socket.once('close', (code, reason) => {
      connections.delete(connection);
      connection.reserved.clear();
      for (const subscription of connection.subscriptions.values()) subscription.close();
      for (const release of connection.quotaReleases.values()) release();
      for (const closer of connection.closers) closer();
      void closed(code, String(reason));
    });
  };
}

/**
 * Encodes the end of the message of an event, which follows its id. One text is delivered to many sockets in a row, so
 * its bytes are kept until the next one.
 */
function createPayloadEncoder(): (text: string) => Buffer {
  let last: { text: string; payload: Buffer } | null = null;
  return (text) => {
    if (text !== last?.text) last = { text, payload: Buffer.from(`${text}}`) };
    return last.payload;
  };
}

/** Whether the error wraps a thrown error, rather than reporting an invalid document or variables. */
function wrapsThrownError({ originalError }: GraphQLError): boolean {
  return originalError !== undefined && !(originalError instanceof GraphQLError);
}

/** Removes the HTTP status, which has no meaning on a socket. */
function withoutStatus(error: GraphQLError): GraphQLError {
  const shown = JSON.parse(JSON.stringify(error));
  if (shown.extensions) delete shown.extensions.http;
  return Object.assign(new GraphQLError(error.message), { toJSON: () => shown });
}

/** @returns null for text that is not JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function markAlive({ connection }: { connection: SocketConnection }): void {
  connection.isAlive = true;
}

/** Published clients send the Authorization header by name, or only the token. */
function tokenOf(params: Record<string, unknown> | undefined): string | null {
  const given = params?.Authorization ?? params?.authorization ?? params?.accessToken ?? null;
  if (typeof given !== 'string') return null;
  return bearerToken(given) ?? given;
}
