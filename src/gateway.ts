import type { Socket } from 'node:net';
import cookies from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import qs from 'qs';
import { rawAnswer, sendClientError } from '../rest-compat/client-error.ts';
import { mountDocs } from '../rest-compat/docs.ts';
import { mountLandingPage } from '../rest-compat/landing-page.ts';
import { mountErrors, mountRest, sendError } from '../rest-compat/mount.ts';
import { createEventSerializer } from '../rest-compat/realtime/event-serializer.ts';
import { mountRealtime } from '../rest-compat/realtime/mount.ts';
import { webhookSpec } from '../rest-compat/realtime/subscription-specs.ts';
import { mountSocketIo } from '../rest-compat/socket-io/mount.ts';
import { mountUploads } from '../rest-compat/v4/files/upload-files.ts';
import { createDocuments } from '../schema/documents/documents.ts';
import { readTrustedDocuments } from '../schema/documents/trusted-documents.ts';
import { createExecutor, type Executor } from '../schema/execute.ts';
import { isGraphiqlInstalled, mountGraphiql } from '../schema/graphiql.ts';
import { mountGraphql } from '../schema/http/mount.ts';
import { createRun } from '../schema/http/run.ts';
import { createSubgraph, schema } from '../schema/index.ts';
import { createSocketHandler } from '../schema/subscriptions/socket-handler.ts';
import { createRenderBody } from '../schema/webhook/render-body.ts';
import { type AnswerCache, createAnswerCache, type KnownAnswers } from './answers/answer-cache.ts';
import type { Services } from './context.ts';
import { type Explain, unavailability } from './database-errors.ts';
import { checkApiKey } from './domain/network/check-api-key.ts';
import { authenticateWithReason } from './domain/session/session-end-reason.ts';
import { mountExports } from './export/serve-exports.ts';
import { mountFiles } from './files/serve-files.ts';
import { allowedOrigins, isOwnOrigin } from './http/allowed-origins.ts';
import { mountConsole } from './http/console.ts';
import { mountCors } from './http/cors.ts';
import { createHttpServer } from './http/http-server.ts';
import { mountMqtt } from './http/mqtt.ts';
import { mountRateLimitHeaders } from './http/rate-limit-headers.ts';
import { contextOfConnection, contextOfRequest, originOf } from './http/request-context.ts';
import { mountResponseHeaders } from './http/response-headers.ts';
import { mountSessionCookies } from './http/session-cookies.ts';
import { mountWebsockets } from './http/websockets.ts';
import { createAdmission } from './limits/admission.ts';
import { clientKeyOf } from './limits/connections/client-key.ts';
import { HTTP_LIMITS, LIVE_LIMITS, OPERATION_LIMITS } from './limits/limits.ts';
import { createCharge, createRefuseToken } from './limits/rates/charge.ts';
import { createRateLimits } from './limits/rates/rate-limits.ts';
import { createSharedCounts } from './limits/rates/shared-counts.ts';
import { sharesRateCounts } from './limits/rates/shares-rate-counts.ts';
import { createRequestDeadline } from './limits/request-deadline.ts';
import { createOperationCount, createUpgradeRefusal } from './limits/websocket-limits.ts';
import { observeGateway } from './observe/gateway-gauges.ts';
import { mountHealth } from './observe/health.ts';
import { logAvailability, loggerOptions, maskedErrorLog } from './observe/log.ts';
import { rateLimitRefusals } from './observe/metrics/definitions.ts';
import { createOperationLog, RequestLog } from './observe/requests.ts';
import { mountMetrics } from './observe/serve-metrics.ts';
import { traceRequests } from './observe/tracing/trace-requests.ts';
import { mountOidc } from './oidc/mount-oidc.ts';
import { oidcSettings } from './oidc/oidc-settings.ts';
import { readStoreSize } from './process/store-size.ts';
import { openEventStream } from './realtime/event-stream.ts';
import { createRealtime } from './realtime/realtime.ts';
import { sampleAccounts } from './sample/sample-accounts.ts';
import type { Transport } from './store/records/audit.ts';
import type { RenderBody } from './webhooks/attempt.ts';
import { countPending } from './webhooks/backlog.ts';

export interface Gateway {
  server: FastifyInstance;
  executor: Executor;
  /** Kept answers to repeated queries. */
  answers: AnswerCache;
  /** Renders the bodies of webhooks. */
  renderBody: RenderBody;
}

export interface GatewayOptions {
  apiKey: string;
  serverKey: string;
  /** Signs tokens; keys of other secrets derive from it. */
  tokenSecret: string;
  knownAnswers?: KnownAnswers | undefined;
}

/** Connects all transports to one HTTP server. The caller listens and closes. */
export async function createGateway(
  services: Services,
  { apiKey, serverKey, tokenSecret, knownAnswers = 'returned' }: GatewayOptions,
): Promise<Gateway> {
  const { config, store } = services;
  const explain: Explain = (error) => {
    const found = unavailability(error);
    // A request that waited too long for a slot is not evidence of an outage.
    if (found && found.reason !== 'overloaded') store.availability.reportFailure(found);
    return found;
  };
  const http = createHttpServer({
    config,
    refusal: (status, message) => rawAnswer(status, status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', message),
    warn: (details, message) => server.log.warn(details, message),
  });
  const server: FastifyInstance = Fastify({
    logger: loggerOptions(config),
    logController: new RequestLog(config),
    trustProxy: config.TRUST_PROXY ? config.TRUST_PROXY.split(',').map((address) => address.trim()) : false,
    bodyLimit: HTTP_LIMITS.bodyBytes,
    serverFactory: http.serverFactory,
    clientErrorHandler: (error, socket) => sendClientError(error, socket, http.connectionGuard.isAnswering(socket)),
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    routerOptions: {
      maxParamLength: HTTP_LIMITS.pathParameter,
      ignoreTrailingSlash: true,
      // Published clients spell `isFlagByMe` in two ways.
      caseSensitive: false,
      querystringParser: (text) =>
        qs.parse(text, {
          depth: HTTP_LIMITS.queryDepth,
          strictDepth: false,
          parameterLimit: HTTP_LIMITS.queryParameters,
          arrayLimit: HTTP_LIMITS.queryArray,
          plainObjects: true,
        }),
    },
  });
  server.decorateRequest('operation', null);
  server.decorateRequest('errorCode', null);
  traceRequests(server);
  const endOperation = createOperationLog(config, server.log);
  const trusted = await readTrustedDocuments(config);
  const executor = createExecutor({
    schema: config.FEDERATION ? createSubgraph() : schema,
    onMaskedError: maskedErrorLog(server.log),
    explain,
    introspection: config.NODE_ENV !== 'production',
    trustedTexts: trusted.texts,
  });
  trusted.validate(executor);
  const documents = createDocuments({ executor, trusted });
  const contextOf = async (request: FastifyRequest, transport: Transport = 'rest') => {
    const context = await contextOfRequest(services, request, transport).catch((error) => refuseToken(request, error));
    http.connectionGuard.setSession(request.raw.socket, context.viewer?.sessionId ?? null);
    return context;
  };
  const withDeadline = createRequestDeadline({
    refusal: store.availability.refusal,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
  });
  const admission = createAdmission({
    slots: OPERATION_LIMITS.expensive,
    maxWaitMs: 0.75 * config.DATABASE_TIMEOUT_MS,
  });
  const answers = createAnswerCache({ maxBytes: config.ANSWER_CACHE_MB * 1_048_576, use: knownAnswers });
  const rateLimits = createRateLimits({
    config,
    shared: sharesRateCounts(config)
      ? await createSharedCounts({
          db: store.db,
          timeoutMs: config.DATABASE_TIMEOUT_MS / 20,
          isDown: () => store.availability.refusal() !== null,
          onFailure: (err) => server.log.warn({ err }, 'rate limits count in this process only: the database failed'),
        })
      : null,
    onRefused: (name) => rateLimitRefusals.with(name).add(),
  });
  const charge = createCharge(rateLimits);
  const refuseToken = createRefuseToken(rateLimits);
  services.rateLimits = rateLimits;
  services.acceptsDocument = trusted.accepts;
  store.availability.listen(logAvailability(server.log));

  const realtime = createRealtime({
    services,
    perUser: LIVE_LIMITS.perUser,
    subscriptionsPerUser: LIVE_LIMITS.subscriptionsPerUser,
    topicsPerUser: LIVE_LIMITS.mqttTopicsPerUser,
    onError: (err, { event }) => server.log.error({ err, eventId: event.eventId }, 'an event could not be delivered'),
  });
  services.warn = (details, message) => server.log.warn(details, message);
  services.info = (details, message) => server.log.info(details, message);
  services.openEventStream = (viewer, selection) => openEventStream(realtime, viewer, selection);
  server.addHook('onClose', async () => realtime.close());
  observeGateway({
    server,
    isDatabaseUp: () => store.availability.refusal() === null,
    cacheBytes: { records: () => store.records?.status().bytes ?? 0, answers: answers.bytes },
    liveConnections: () => realtime.connectionQuota.total,
    subscriptions: { 'graphql-ws': () => realtime.subscriptionQuota.total, mqtt: () => realtime.topicQuota.total },
    storeSize: () => readStoreSize(config, store),
    webhookBacklog: () => countPending(store.collections, config.NETWORK_ID),
  });

  mountErrors(server, explain);
  http.mount(server);
  const origins = allowedOrigins(config);
  const oidc = oidcSettings(config);
  if (config.SESSION_COOKIES || oidc) await server.register(cookies);
  await mountSessionCookies(server, { config, origins });
  await mountCors(server, origins);
  if (config.RATE_LIMIT > 0) {
    const keyGenerator = ({ ip }: FastifyRequest) => clientKeyOf(ip);
    await server.register(rateLimit, { max: config.RATE_LIMIT, timeWindow: 60_000, keyGenerator });
  }
  mountResponseHeaders(server);
  mountRateLimitHeaders(server);
  await mountWebsockets(server);
  // Registered after the hook that closes WebSockets. Ends event streams, whose requests would keep the server open.
  server.addHook('preClose', () => services.events.close());
  mountHealth(server, services);
  mountMetrics(server, config);
  const hasGraphiql = config.NODE_ENV !== 'production' && isGraphiqlInstalled();
  const hasDocs = config.API_DOCS === 'auto' ? config.NODE_ENV !== 'production' : config.API_DOCS === 'on';
  if (hasDocs) await mountDocs(server, config);
  const hasSampleSignIn =
    config.NODE_ENV !== 'production' &&
    config.API_KEY === undefined &&
    config.SERVER_KEY === undefined &&
    config.PUBLIC_URL === undefined;
  mountLandingPage(server, { hasGraphiql, hasDocs, hasSampleSignIn });
  mountConsole(server, {
    built: new URL('./console/', import.meta.url),
    sampleSignIn: hasSampleSignIn ? () => sampleAccounts(services, { apiKey, serverKey }) : null,
  });
  const run = createRun({ executor, admission, answers, withDeadline, explain, charge });
  const authenticateSocket = async (token: string | null, { ip, stream }: { ip: string; stream: Socket }) => {
    const viewer = await withDeadline(() =>
      authenticateWithReason(services, token).catch((error) => refuseToken({ ip }, error)),
    );
    http.connectionGuard.setSession(stream, viewer?.sessionId ?? null);
    return viewer;
  };
  const countOperation = createOperationCount(server, config);
  const refuseUpgrade = createUpgradeRefusal(
    config,
    (origin, host) => origins.includes(origin) || isOwnOrigin(origin, host),
  );
  const socketHandler = createSocketHandler(server, {
    executor,
    documents,
    realtime,
    hub: services.events,
    authenticate: authenticateSocket,
    contextOf: (token, request) => contextOfConnection(services, token, originOf(request, 'websocket')),
    run,
    charge,
    countOperation,
    endOperation,
  });
  mountGraphql(server, {
    config,
    executor,
    documents,
    contextOf: (request) => contextOf(request, 'graphql'),
    admission,
    charge,
    answers,
    withDeadline,
    explain,
    realtime,
    position: () => services.events.position,
    socketHandler,
    refuseUpgrade,
    graphiql: hasGraphiql ? mountGraphiql(server) : null,
  });
  mountRest(server, { executor, contextOf, checkApiKey, admission, answers, withDeadline, charge });
  const serializer = createEventSerializer(executor);
  mountRealtime(server, { services, realtime, serializer, withDeadline, contextOf, charge });
  mountMqtt(server, {
    services,
    realtime,
    withDeadline,
    refuseUpgrade,
    authenticate: authenticateSocket,
    countOperation,
    endOperation,
    charge,
    render: (root, context) => serializer.envelope(root, context),
  });
  mountSocketIo(server, {
    executor,
    realtime,
    admission,
    withDeadline,
    explain,
    refuseUpgrade,
    authenticate: authenticateSocket,
    contextOf: (token, request) => contextOfConnection(services, token, originOf(request, 'socket.io')),
    countOperation,
    endOperation,
    charge,
  });
  mountFiles(server, { services, withDeadline, contextOf, charge });
  mountExports(server, { services, withDeadline, charge });
  if (oidc)
    mountOidc(server, { services, settings: oidc, origins, secret: tokenSecret, charge, withDeadline, explain });
  mountUploads(server, { services, executor, withDeadline, contextOf, charge });
  const renderBody = createRenderBody({
    executor,
    renderFor: realtime.fanOut.renderFor,
    documented: (name) => webhookSpec(serializer, name),
  });
  return { server, executor, answers, renderBody };
}
