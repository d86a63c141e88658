import type { Config } from './config.ts';
import { OperationError } from './errors.ts';
import type { Hub } from './events/hub.ts';
import type { FileStorage } from './files/file-storage.ts';
import type { MaybePromise } from './lib/maybe-promise.ts';
import type { TextSeal } from './lib/text-seal.ts';
import type { RateLimits } from './limits/rates/rate-limits.ts';
import { createReadBudget, type ReadBudget } from './limits/read-budget.ts';
import { createLoaders, type Loaders } from './store/loaders.ts';
import type { RecordCache } from './store/record-cache/record-cache.ts';
import type { Transport } from './store/records/audit.ts';
import type { UserType } from './store/records/user.ts';
import type { Store } from './store/store.ts';
import type { RunTransaction } from './store/transaction.ts';
import { visitorRecord } from './store/visitor-record.ts';
import type { Resolve } from './webhooks/address-guard.ts';

/** The signed-in user of a request, in one network, with the network-wide permissions of their roles; or a visitor. */
export interface Viewer {
  networkId: string;
  /** Visitors and bots have read-only sessions: `src/access/visitor.ts`. */
  userType: UserType;
  userId: string;
  userInternalId: string;
  sessionId: string;
  sessionInternalId: string;
  roles: readonly string[];
  permissions: ReadonlySet<string>;
  /** Whether they have blocked users. */
  hasBlocks: boolean;
  /** When the session ends, or earlier, when its newest access token expires. */
  expiresAt: Date;
}

/** Whether a time is not in the future. */
export type HasPassed = (time: Date) => boolean;

/** Where an operation comes from, for the audit log. */
export interface Origin {
  transport: Transport;
  /** Address of the client, behind the proxies of TRUST_PROXY; null without a client. */
  address: string | null;
}

export const BACKGROUND: Origin = { transport: 'background', address: null };

/** Services that the whole process shares. */
export interface Services {
  config: Config;
  store: Store;
  /** Storage of the bytes of files. */
  files: FileStorage;
  tokens: TokenSigner;
  /** Encrypts what cursors contain of records that the viewer does not see. */
  seal: TextSeal;
  /** Base URL under which clients reach the gateway, without a trailing slash; final once it listens. */
  publicUrl: string;
  now(): Date;
  /** Id of this process, as the sender of events. */
  instanceId: string;
  /** Resolves the hosts of webhooks. */
  resolveHost: Resolve;
  /** The event log. */
  events: Hub;
  /** Logs a failure that no answer reports; set by the gateway. */
  warn?: ((details: object, message: string) => void) | undefined;
  /** Logs what operators follow, such as privileged acts; set by the gateway. */
  info?: ((details: object, message: string) => void) | undefined;
  /** Limits of operations per minute; set by the gateway. */
  rateLimits?: RateLimits | undefined;
  /** Whether clients may send a GraphQL document of their own; set by the gateway. */
  acceptsDocument?: ((text: string) => boolean) | undefined;
  /** Streams events as source values of GraphQL subscriptions; set by the gateway. */
  openEventStream?:
    | ((
        viewer: Viewer,
        selection: { types: ReadonlySet<string>; topic: string | null; after: string | null },
      ) => AsyncGenerator<unknown, void, void>)
    | undefined;
}

/** Signs and verifies the two kinds of token; see `src/domain/session/tokens.ts`. */
export interface TokenSigner {
  sign(claims: TokenClaims): Promise<string>;
  /** The claims of a token that this deployment signed and that has not expired, else null. */
  verify(token: string): Promise<TokenClaims | null>;
  /** As {@link verify}, also of an expired token. */
  verifySignature(token: string): Promise<TokenClaims | null>;
}

export interface TokenClaims {
  kind: 'access' | 'auth' | 'refresh';
  networkId: string;
  userId: string;
  /** The user's internal id, on access tokens; absent on those of release 0.1.0. Clients read it from the payload. */
  userInternalId?: string;
  /** The session's id; on an auth token, a random id. */
  id: string;
  issuedAt: Date;
  expiresAt: Date;
  /** How many tokens of the session a refresh token replaced; absent on other tokens. */
  generation?: number;
}

/** The tokens of a session that was created or refreshed. */
export interface SessionTokens {
  accessToken: string;
  /** Empty for a session without one. */
  refreshToken: string;
  sessionExpiresAt: Date;
}

/** The cookies of an answer. */
export interface SessionCookies {
  /** Stores tokens in cookies; null unless the client requested it: the answer then contains them. */
  store: ((tokens: SessionTokens) => void) | null;
  /** Removes the tokens of the session. */
  clear(): void;
}

/** The context of one operation, over any transport. */
export interface Context extends Services {
  viewer: Viewer | null;
  origin: Origin;
  /** Name of the mutation that is executed; null outside of one. */
  operation: string | null;
  /** The decision of a moderator about an item of the queue, of which the acts become part in the audit log; else null. */
  resolution: { name: string; reason: string | null } | null;
  /** Keys that were sent in addition to the token; only session operations use them. */
  credentials: { apiKey: string | null; serverKey: string | null };
  /**
   * Whether a time has passed. Use it instead of `now` in queries: an answer is kept (`src/answers`) until the next of the
   * times it compared has passed, but not at all once the time itself was read.
   */
  hasPassed: HasPassed;
  /** Replaced when a write is retried, so always access it through the context. */
  load: Loaders;
  /** Bounds what this request reads. */
  reads: ReadBudget;
  /** Runs transactions of the store within the time that the request has left. */
  transaction: RunTransaction;
  /**
   * Runs side effects that must not happen before the commit, such as removing files or invalidating caches:
   * immediately when called after a transaction, or after the commit of an enclosing idempotent write.
   */
  afterCommit(work: () => Promise<void> | void): Promise<void>;
  /** When the request is answered with 503 if it has not finished, in `performance.now()` time. */
  deadline: number;
  /** The idempotency key of the request's only write, if it was sent outside of the input. */
  idempotencyKey: string | null;
  /** The cookies of the answer; null without SESSION_COOKIES, and on sockets. */
  sessionCookies: SessionCookies | null;
  /** Code of the error that the answer contains as data, for metrics; shared by all copies of the context. */
  outcome: { errorCode: string | null };
  /** Whether the answer is a stored one, of an earlier request with the same key. */
  isReplay: boolean;
  /** Records of a stored answer that the viewer no longer sees. They are returned as stored, without relations. */
  unseen: WeakSet<object> | null;
}

/**
 * @param viewer null without a session
 * @param deadline when the request is answered with 503 if it has not finished, in `performance.now()` time
 * @param records the store's cache, if the viewer was read from the database since the request began
 * @param origin where the operation comes from
 */
export function createContext(
  services: Services,
  viewer: Viewer | null,
  credentials: Context['credentials'] = NO_CREDENTIALS,
  deadline: number = Number.POSITIVE_INFINITY,
  reads: ReadBudget = createReadBudget(),
  records: RecordCache | null = null,
  origin: Origin = BACKGROUND,
): Context {
  const load = createLoaders(services.store.batchers, viewer?.networkId ?? '', reads, records, services.now);
  // Visitors have no stored account; their record exists in their own requests only.
  if (viewer && viewer.userType !== 'signed-in') {
    const visitor = visitorRecord(viewer);
    load.users.prime(visitor.userId, visitor);
    load.usersByInternalId.prime(viewer.userInternalId, visitor);
  }
  return {
    // Named one by one: copying the members of another object costs several times as much.
    config: services.config,
    store: services.store,
    files: services.files,
    tokens: services.tokens,
    seal: services.seal,
    publicUrl: services.publicUrl,
    now: services.now,
    instanceId: services.instanceId,
    resolveHost: services.resolveHost,
    events: services.events,
    warn: services.warn,
    info: services.info,
    rateLimits: services.rateLimits,
    acceptsDocument: services.acceptsDocument,
    openEventStream: services.openEventStream,
    viewer,
    origin,
    operation: null,
    resolution: null,
    credentials,
    hasPassed: (time) => time <= services.now(),
    load,
    reads,
    transaction: (work, options) =>
      services.store.transaction(work, { ...(Number.isFinite(deadline) && { deadline }), ...options }),
    afterCommit: async (work) => work(),
    deadline,
    idempotencyKey: null,
    sessionCookies: null,
    outcome: { errorCode: null },
    isReplay: false,
    unseen: null,
  } satisfies { [Name in keyof Required<Context>]: Context[Name] };
}

const NO_CREDENTIALS = { apiKey: null, serverKey: null };

/**
 * The signed-in viewer.
 * @throws {OperationError} UNAUTHORIZED without a session
 */
export function viewerOf(context: Context): Viewer {
  if (!context.viewer) throw new OperationError('UNAUTHORIZED');
  return context.viewer;
}

/** Starts a load early, so that it shares a command with other loads. Errors surface when the record is needed. */
export function prefetch(load: MaybePromise<unknown>): void {
  if (load instanceof Promise) load.catch(() => undefined);
}
