import type { Route } from './route.ts';
import { pinPost } from './v1/pin-post.ts';
import { pinnedPosts } from './v1/pinned-posts.ts';
import { unpinPost } from './v1/unpin-post.ts';
import { contentFeeds } from './v3/content-feeds.ts';
import { flagPost } from './v3/flag-post.ts';
import { getPost } from './v3/get-post.ts';
import { isPostFlagged } from './v3/is-post-flagged.ts';
import { networkSettings } from './v3/network-settings.ts';
import { unflagPost } from './v3/unflag-post.ts';
import { mintAuthTokens } from './v4/mint-auth-token.ts';
import { revokeSession } from './v4/revoke-session.ts';
import { createSessions } from './v5/create-session.ts';

/** Every row of the legacy interface. */
export const ROUTES: readonly Route[] = [
  ...createSessions,
  revokeSession,
  ...mintAuthTokens,
  ...networkSettings,
  getPost,
  flagPost,
  unflagPost,
  isPostFlagged,
  contentFeeds,
  pinPost,
  unpinPost,
  ...pinnedPosts,
];
