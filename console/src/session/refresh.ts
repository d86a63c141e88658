import { RefreshDocument, type RefreshMutation } from '../../generated/operations.ts';
import { post } from '../api/post.ts';
import { currentSession, endSession, onSessionChange, renewSession, type Session } from './session-store.ts';

/** Before its expiry, an access token is replaced this much earlier. */
const EARLY_MS = 20_000;
const RETRY_MS = 5_000;

let running: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The session with an access token that is valid for some seconds. Concurrent callers share one refresh. */
export async function freshSession(): Promise<Session | null> {
  const session = currentSession();
  if (!session?.refreshToken || millisecondsLeft(session) > 0) return session;
  running ??= refresh(session).finally(() => {
    running = null;
    schedule();
  });
  await running;
  return currentSession();
}

async function refresh({ id, refreshToken }: Session): Promise<void> {
  const body = { query: String(RefreshDocument), variables: { input: { refreshToken } } };
  // The server cannot be reached: the caller's own request reports it, and the timer tries again.
  const answer = await post<RefreshMutation>(body, {}).catch(() => null);
  const result = answer?.data?.refreshSession;
  if (currentSession()?.id !== id) return;
  if (result?.__typename === 'RefreshSessionPayload') renewSession({ ...result.session, id });
  else if (result?.__typename === 'OperationError' && result.code === 'UNAUTHORIZED') {
    endSession('Your session has ended.');
  }
}

const millisecondsLeft = ({ expiresAt }: Session): number => Date.parse(expiresAt) - EARLY_MS - Date.now();

/** Open WebSockets need no request of the page, so their session is refreshed in time without one. */
function schedule(): void {
  clearTimeout(timer);
  const session = currentSession();
  if (!session?.refreshToken) return;
  timer = setTimeout(() => void freshSession(), Math.max(millisecondsLeft(session), RETRY_MS));
}

onSessionChange(schedule);
schedule();
