import type { Config } from './config.ts';
import { OperationError } from './errors.ts';
import type { Hub } from './events/hub.ts';
import type { FileStorage } from './files/file-storage.ts';
import { createReadBudget, type ReadBudget } from './limits/read-budget.ts';
import { createLoaders, type Loaders } from './store/loaders.ts';
import type { Store } from './store/store.ts';
import type { RunTransaction } from './store/transaction.ts';
import type { Resolve } from './webhooks/address-guard.ts';

/** Who asks: the session's user, in one network, with the network-wide permissions of their roles. */
export interface Viewer {
  networkId: string;
  userId: string;
  userInternalId: string;
  sessionId: string;
  sessionInternalId: string;
  roles: readonly string[];
  permissions: ReadonlySet<string>;
  /** Whether they blocked anybody. */
  hasBlocks: boolean;
  /** When the session ends. */
  expiresAt: Date;
}

/** What the whole process shares. */
export interface Services {
  config: Config;
  store: Store;
  /** Where the bytes of files are kept. */
  files: FileStorage;
  tokens: TokenSigner;
  /** Base URL under which clients reach the gateway, without a trailing slash; final once it listens. */
  publicUrl: string;
  now(): Date;
  /** Names this process, as the sender of events. */
  instanceId: string;
  /** Finds the addresses of hosts that webhooks go to. */
  resolveHost: Resolve;
  /** The log of what happens. */
  events: Hub;
}

/** Signs and verifies the two kinds of token; see `src/domain/session/tokens.ts`. */
export interface TokenSigner {
  sign(claims: TokenClaims): Promise<string>;
  /** The claims of a token that this deployment signed and that has not expired, else null. */
  verify(token: string): Promise<TokenClaims | null>;
}

export interface TokenClaims {
  kind: 'access' | 'auth';
  networkId: string;
  userId: string;
  /** The session's id on an access token, a random id on an auth token. */
  id: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** What one operation runs in, whatever door it came through. */
export interface Context extends Services {
  viewer: Viewer | null;
  /** The keys the door found beside the token; only the session operations read them. */
  credentials: { apiKey: string | null; serverKey: string | null };
  /** Replaced when a write starts anew, so it is always reached through the context. */
  load: Loaders;
  /** What this request may still read. */
  reads: ReadBudget;
  /** The store's, within what is left of the request's time. */
  transaction: RunTransaction;
  /**
   * Does what nobody may see before the write is committed, such as removing bytes or forgetting what was remembered:
   * at once after a transaction, or at the end of the one that a keyed write opened around it.
   */
  afterCommit(work: () => Promise<void> | void): Promise<void>;
  /** When the client is told that its time is over, in the time of `performance.now()`. */
  deadline: number;
  /** The client's name for the one write of this request, if its door has one beside the input. */
  idempotencyKey: string | null;
  /** Whether the answer is one that was given before. */
  isReplay: boolean;
  /** Records of a repeated answer that the viewer no longer sees: they are answered as stored, without relations. */
  unseen: WeakSet<object> | null;
}

/**
 * @param viewer null for whoever has not signed in
 * @param deadline when the client is told that its time is over, in the time of `performance.now()`
 */
export function createContext(
  services: Services,
  viewer: Viewer | null,
  credentials: Context['credentials'] = NO_CREDENTIALS,
  deadline: number = Number.POSITIVE_INFINITY,
): Context {
  const reads = createReadBudget();
  return {
    ...services,
    viewer,
    credentials,
    load: createLoaders(services.store.batchers, viewer?.networkId ?? '', reads),
    reads,
    transaction: (work, options) =>
      services.store.transaction(work, { ...(Number.isFinite(deadline) && { deadline }), ...options }),
    afterCommit: async (work) => work(),
    deadline,
    idempotencyKey: null,
    isReplay: false,
    unseen: null,
  };
}

const NO_CREDENTIALS = { apiKey: null, serverKey: null };

/**
 * The signed-in viewer.
 * @throws {OperationError} UNAUTHORIZED when nobody is signed in
 */
export function viewerOf(context: Context): Viewer {
  if (!context.viewer) throw new OperationError('UNAUTHORIZED');
  return context.viewer;
}

/** Starts a load early, so that it shares a command with one that is due; whoever needs the record meets its error. */
export function prefetch(load: Promise<unknown>): void {
  load.catch(() => undefined);
}
