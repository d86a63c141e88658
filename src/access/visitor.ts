import type { Viewer } from '../context.ts';

/*
 * Visitors and bots read what a new user reads, who has no memberships and no follows. They write nothing.
 */

/** Mutations that a read-only viewer may call: they need no viewer, or end the session of the viewer. */
export const READ_ONLY_MUTATIONS: ReadonlySet<string> = new Set([
  // The API key authorizes these. An application calls them when its visitor signs in.
  'createSession',
  'createVisitorSession',
  'registerPushDevice',
  'unregisterPushDevice',
  // The server key authorizes it.
  'mintAuthToken',
  // The token of the link authorizes it.
  'consumeLoginLink',
  // The code authorizes it.
  'exchangeLoginCode',
  // The refresh token authorizes it.
  'refreshSession',
  'revokeSession',
]);

export function isReadOnly({ userType }: Viewer): boolean {
  return userType !== 'signed-in';
}

/** Why the viewer may not write at all; null when policies of the record decide. */
export function refusalToWrite(viewer: Viewer | null): 'VISITOR_DENIED' | 'BOT_DENIED' | null {
  if (!viewer || !isReadOnly(viewer)) return null;
  return viewer.userType === 'bot' ? 'BOT_DENIED' : 'VISITOR_DENIED';
}
