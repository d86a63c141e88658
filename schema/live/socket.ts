import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { makeServer, type SubscribeMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Context, Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { Hub } from '../../src/events/hub.ts';
import { exceededByJson } from '../../src/limits/json-limits.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Realtime } from '../../src/realtime/realtime.ts';
import { type Executor, isRefused, type Prepared, type RunOptions } from '../execute.ts';
import { createMessageQueue } from './message-queue.ts';
import { createQuietStream } from './quiet-stream.ts';
import { closeFor, createSocketLink, type SocketLink, sendText, startHeartbeat } from './socket-link.ts';
import { type Subscribed, toGraphqlError, toSubscribed, untoldResult } from './subscription.ts';

export interface SocketOptions {
  executor: Executor;
  realtime: Realtime;
  hub: Hub;
  /** Who a token speaks for. @throws {OperationError} UNAUTHORIZED, GLOBALLY_BANNED */
  authenticate(token: string | null, request: FastifyRequest): Promise<Viewer | null>;
  /** The context of one query or mutation: its time begins now. */
  contextOf(token: string | null): Promise<Context>;
  /** As an HTTP request is run, masked and within its time. */
  run(
    prepared: Prepared,
    variables: RunOptions['variables'],
    contextOf: () => Promise<Context>,
  ): Promise<{ result: ExecutionResult; text: string }>;
  /** Counts an operation against the limit of its client. @throws {OperationError} RATE_LIMITED */
  countOperation(request: FastifyRequest): Promise<void>;
}

/** What `graphql-ws` hands from one of its hooks to the next. */
interface Operation extends Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'> {
  link: SocketLink;
  id: string;
  /** Identifies its subscribe message in {@link SocketLink.reserved}. */
  reservation: object;
  prepared: Prepared;
  /** Null for queries and mutations. */
  subscribed: Subscribed | null;
  variableValues: RunOptions['variables'];
}

/**
 * The outcome of an operation whose id the client has completed and used again: it never settles, because the library
 * would end the later operation with it. A promise of its own each time: a shared one would collect those that wait.
 */
const superseded = (): Promise<never> => new Promise(() => undefined);

type SubscribePayload = SubscribeMessage['payload'];
type Extra = { link: SocketLink; request: FastifyRequest };

/**
 * GraphQL over websockets, `graphql-transport-ws`: queries and mutations as over HTTP, and subscriptions. The library
 * keeps the protocol; what is told of events goes past it, as text that was made once for everybody.
 */
export function createSocketHandler(
  server: FastifyInstance,
  options: SocketOptions,
): (socket: WebSocket, request: FastifyRequest) => void {
  const { executor, realtime, hub } = options;
  const links = new Set<SocketLink>();
  const stopHeartbeat = startHeartbeat(links, () => hub.position);
  server.addHook('onClose', async () => stopHeartbeat());

  const protocol = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: LIVE_LIMITS.initMs,
    async onConnect({ connectionParams, extra: { link, request } }) {
      try {
        await enter(link, tokenOf(connectionParams) ?? bearerOf(request.headers.authorization), request);
      } catch (error) {
        const reason = error instanceof OperationError ? error : new OperationError('UNAVAILABLE');
        if (reason.errorName === 'UNAVAILABLE') link.socket.close(1013, 'Try again later');
        else closeFor(link.socket, reason);
      }
      return {};
    },
    onPing: ({ extra }) => void live(extra),
    onPong: ({ extra }) => void live(extra),
    async onSubscribe({ extra, subscriptions }, id, payload) {
      const { link } = extra;
      const reservation = {};
      link.reserved.set(id, reservation);
      const begun = await begin(extra, subscriptions, { id, payload, reservation });
      if (link.reserved.get(id) !== reservation) return superseded();
      // A query stays until it has been executed: a result must not be sent for a later operation of the same id.
      if (Array.isArray(begun) || (begun as Operation).subscribed) link.reserved.delete(id);
      return begun as unknown as ExecutionArgs;
    },
    execute: async (args) => {
      const operation = args as unknown as Operation;
      const { link, id, reservation, prepared, variableValues } = operation;
      let answer: Awaited<ReturnType<SocketOptions['run']>>;
      try {
        answer = await options.run(prepared, variableValues, () => options.contextOf(link.token));
      } finally {
        link.operations.delete(operation);
      }
      if (link.reserved.get(id) !== reservation) return superseded();
      link.reserved.delete(id);
      const { result, text } = answer;
      if (result.data !== undefined) return sentResult(operation, text);
      return { ...result, errors: result.errors!.map(withoutStatus) };
    },
    subscribe: async (args) => listen(args as unknown as Operation),
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => withoutStatus(isOurs(error) ? toGraphqlError(error.originalError) : error).toJSON()),
  });

  /** Prepares the operation of a subscribe message. @returns the errors for one that is refused */
  async function begin(
    { link, request }: Extra,
    subscriptions: object,
    { id, payload, reservation }: { id: string; payload: SubscribePayload; reservation: object },
  ): Promise<Operation | GraphQLError[]> {
    const { query, operationName, variables } = payload;
    if (!link.session) return [toGraphqlError(new OperationError('UNAUTHORIZED'))];
    try {
      // By count alone, before the document costs anything.
      const inProgress = Object.keys(subscriptions).length;
      if (inProgress > LIVE_LIMITS.subscriptions + LIVE_LIMITS.operations) throw tooManyOperations();
      await options.countOperation(request);
      if (link.socket.readyState !== link.socket.OPEN) return [toGraphqlError(new OperationError('UNAVAILABLE'))];
      const prepared = await executor.prepareInTurn(query, operationName ?? null);
      const isCurrent = link.reserved.get(id) === reservation && id in subscriptions;
      if (!isCurrent || link.socket.readyState !== link.socket.OPEN)
        return [toGraphqlError(new OperationError('UNAVAILABLE'))];
      if (isRefused(prepared)) return [...prepared.errors];
      const isSubscription = prepared.operation.operation === 'subscription';
      const subscribed = isSubscription ? toSubscribed(executor, prepared, variables) : null;
      if (subscribed && 'errors' in subscribed) return [...subscribed.errors];
      const operation: Operation = {
        schema: executor.schema,
        document: prepared.document,
        operationName: operationName ?? null,
        link,
        id,
        reservation,
        prepared,
        subscribed,
        variableValues: variables ?? null,
      };
      // Nothing may fail from here on until it is executed, which gives the place back.
      admit(operation, subscriptions, () => realtime.subscriptions.take(link.session!.viewer));
      return operation;
    } catch (error) {
      if (error instanceof OperationError && error.errorName === 'RATE_LIMITED') link.messages?.countRefusal();
      return [toGraphqlError(error)];
    }
  }

  async function enter(link: SocketLink, token: string | null, request: FastifyRequest): Promise<void> {
    const viewer = await options.authenticate(token, request);
    if (!viewer) throw new OperationError('UNAUTHORIZED');
    const giveBack = realtime.seats.take(viewer);
    link.closers.push(giveBack);
    if (link.socket.readyState !== link.socket.OPEN) return giveBack();
    const session = realtime.sessions.enter(viewer);
    link.token = token;
    link.session = session;
    session.onEnd((reason) => closeFor(link.socket, reason));
    link.closers.push(() => session.leave());
  }

  /** Sends a result whose text exists already. The library gets none, and completes the operation. */
  async function* sentResult({ link, id }: Operation, text: string): AsyncGenerator<never, void, void> {
    sendText(link, `{"id":${JSON.stringify(id)},"type":"next","payload":${text}}`);
    yield* [];
  }

  /** Tells by itself; for the library it is a stream that yields nothing until it ends. */
  function listen({ link, id, subscribed }: Operation): AsyncGenerator<never, void, void> {
    const { program, after } = subscribed!;
    const begin = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    const tell = (text: string) => sendText(link, `${begin}${text}}`);
    const giveBack = link.subscriptions.get(id);
    const { stream, fail } = createQuietStream(() => {
      listening.close();
      giveBack?.();
      if (link.listening.get(id) === listening) link.listening.delete(id);
    });
    const listening = realtime.fanOut.listen(
      program,
      {
        session: link.session!,
        tell,
        onUntold: (event) => tell(untoldResult(event)),
        isSlow: () => link.socket.bufferedAmount > LIVE_LIMITS.buffered / 4,
        onLost: fail,
      },
      after,
    );
    link.listening.get(id)?.close();
    link.listening.set(id, listening);
    return stream;
  }

  return (socket, request) => {
    const link = createSocketLink(socket);
    links.add(link);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: async (text) => sendText(link, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) => {
          const messages = createMessageQueue({
            handle(text) {
              if (socket.readyState !== socket.OPEN) return;
              if (exceededByJson(text)) return socket.close(4400, 'Invalid message');
              handle(text).catch((error: unknown) => {
                request.log.warn({ err: error }, 'a message of a socket could not be handled');
                socket.close(4400, 'Invalid message');
              });
            },
            onFull: () => socket.pause(),
            onSpace: () => socket.resume(),
            onFlood: (reason) => socket.close(4429, reason),
          });
          link.messages = messages;
          link.closers.push(messages.clear);
          socket.on('message', (data) => {
            live({ link });
            messages.push(String(data));
          });
        },
      },
      { link, request },
    );
    socket.once('close', (code, reason) => {
      links.delete(link);
      link.reserved.clear();
      for (const listening of link.listening.values()) listening.close();
      for (const giveBack of link.subscriptions.values()) giveBack();
      for (const closer of link.closers) closer();
      void closed(code, String(reason));
    });
  };
}

/**
 * Counts those that were let in and have not ended: of many that came at once, as many as there may be are let in.
 * Subscriptions end with the client's word, other operations when they have been carried out.
 *
 * @param take a place of the user's
 * @throws {OperationError} RATE_LIMITED
 */
function admit(operation: Operation, underWay: object, take: () => () => void): void {
  const { id, subscribed } = operation;
  const { subscriptions, operations, listening } = operation.link;
  for (const [one, giveBack] of subscriptions) {
    if (one in underWay) continue;
    listening.get(one)?.close();
    listening.delete(one);
    giveBack();
    subscriptions.delete(one);
  }
  const count = subscribed ? subscriptions.size : operations.size;
  if (count >= (subscribed ? LIVE_LIMITS.subscriptions : LIVE_LIMITS.operations)) throw tooManyOperations();
  if (!subscribed) return void operations.add(operation);
  subscriptions.get(id)?.();
  subscriptions.set(id, take());
}

function tooManyOperations(): OperationError {
  const { subscriptions, operations } = LIVE_LIMITS;
  const message = `At most ${subscriptions} subscriptions and ${operations} other operations on one socket.`;
  return new OperationError('RATE_LIMITED', { message });
}

/** Whether the error stands for one that was thrown, not for a fault of the document or its variables. */
function isOurs({ originalError }: GraphQLError): boolean {
  return originalError !== undefined && !(originalError instanceof GraphQLError);
}

/** The status of an HTTP answer means nothing on a socket. Errors of compiled operations have no text of their own. */
function withoutStatus(error: GraphQLError): GraphQLError {
  const shown = JSON.parse(JSON.stringify(error));
  if (shown.extensions) delete shown.extensions.http;
  return Object.assign(new GraphQLError(error.message), { toJSON: () => shown });
}

function live({ link }: { link: SocketLink }): void {
  link.isAlive = true;
}

/** As published GraphQL clients send it: the header by its name, or the token alone. */
function tokenOf(params: Record<string, unknown> | undefined): string | null {
  const given = params?.Authorization ?? params?.authorization ?? params?.accessToken ?? null;
  if (typeof given !== 'string') return null;
  return bearerOf(given) ?? given;
}

function bearerOf(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
