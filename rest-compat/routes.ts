import type { Route } from './route.ts';
import { getPost } from './v3/get-post.ts';
import { networkSettings } from './v3/network-settings.ts';
import { mintAuthTokens } from './v4/mint-auth-token.ts';
import { revokeSession } from './v4/revoke-session.ts';
import { createSessions } from './v5/create-session.ts';

/** Every row of the legacy interface. */
export const ROUTES: readonly Route[] = [...createSessions, revokeSession, ...mintAuthTokens, ...networkSettings, getPost];
