import type { JsonSchema } from './answer-schema.ts';

/** Groups of the REST documentation, in its order: name, description, and the paths without their version. */
const GROUPS: ReadonlyArray<[name: string, description: string, paths: RegExp]> = [
  ['sessions', 'Sign in and out, auth tokens, push devices.', /^(sessions|authentication|notification)\b/],
  ['follows', 'Followers and followed users.', /^(me|users\/[^/]+)\/(follow)/],
  ['users', 'Users, flags and blocks.', /^(users|me\/flags|me\/user-blocks)\b/],
  ['posts', 'Posts, feeds and pins.', /^(posts|pinned-posts|user-feeds|content-feeds|me\/global-feeds)\b/],
  ['comments', 'Comments and replies.', /^comments\b/],
  ['reactions', 'Reactions to posts, comments, stories and messages.', /^reactions\b/],
  ['polls', 'Polls and votes.', /^polls\b/],
  ['stories', 'Stories and their targets.', /^(stories|stories-by-targets|me\/global-story-targets)\b/],
  ['views', 'Who viewed posts and stories.', /^analytics\b/],
  ['files', 'Uploads and their records.', /^(files|images|videos|audios|clips)\b/],
  ['communities', 'Communities, members, join requests and categories.', /^(communities|community-categories)\b/],
  ['channels', 'Channels and their members.', /^channels?\b/],
  ['messages', 'Message feeds and messages.', /^(messages|message-feeds)\b/],
  ['markers', 'Read positions, unread counts and receipts.', /^markers\b/],
  ['video streams', 'Live video.', /^(video-streaming|user-event)\b/],
  ['search', 'Search by words and hashtags.', /^(search|semantic-search)\b/],
  ['roles', 'Roles and their permissions.', /^roles\b/],
  ['network', 'Settings of the network, content rules, link previews.', /./],
];

const EVENT_GROUPS: ReadonlyArray<[name: string, description: string]> = [
  ['realtime', 'Events as a stream, a long poll or the newest one.'],
  ['webhook', 'Payloads of webhooks, for clients that poll.'],
];

/** The groups as OpenAPI tags. */
export const TAGS: JsonSchema[] = [...GROUPS, ...EVENT_GROUPS].map(([name, description]) => ({ name, description }));

/** The group of a path such as `/api/v3/posts/:postId`. */
export function tagOf(path: string): string {
  const rest = path.replace(/^(\/api)?\/v\d\//, '');
  return GROUPS.find(([, , paths]) => paths.test(rest))![0];
}
