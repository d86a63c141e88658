import type { Area } from '../application.ts';
import { bans } from './bans.ts';
import { channels } from './channels.ts';
import { comments } from './comments.ts';
import { communities } from './communities.ts';
import { feeds } from './feeds.ts';
import { files } from './files.ts';
import { listeners } from './listeners.ts';
import { logins } from './logins.ts';
import { messages } from './messages.ts';
import { newerRepositories } from './newer-repositories.ts';
import { polls } from './polls.ts';
import { posts } from './posts.ts';
import { rarelyUsed } from './rarely-used.ts';
import { reactions } from './reactions.ts';
import { reconnect } from './reconnect.ts';
import { relationships } from './relationships.ts';
import { sessions } from './sessions.ts';
import { stories } from './stories.ts';
import { streams } from './streams.ts';
import { subChannels } from './sub-channels.ts';
import { unread } from './unread.ts';
import { users } from './users.ts';

/** In the order in which they run: `sessions` logs in, `bans` and `logins` end the session. */
export const AREAS: readonly Area[] = [
  sessions,
  users,
  files,
  communities,
  posts,
  comments,
  reactions,
  polls,
  feeds,
  stories,
  channels,
  subChannels,
  messages,
  unread,
  relationships,
  streams,
  newerRepositories,
  rarelyUsed,
  listeners,
  reconnect,
  bans,
  logins,
];
