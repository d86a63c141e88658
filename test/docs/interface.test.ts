import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Schema {
  properties?: { [name: string]: unknown };
}
const { schemas } = JSON.parse(read('openapi.json')).components as { schemas: { [name: string]: Schema } };

/** The text below each heading of the second and third level. */
const sections = new Map(
  read('docs/interface.md')
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end)] as const;
    }),
);

test.each([
  ['User', 'User record'],
  ['User2', 'Reduced user'],
  ['Role', 'Roles'],
  ['File', 'File record'],
  ['Community', 'Community record'],
  ['CommunityUser', 'Community user'],
  ['Category', 'Category and feed'],
  ['Feed', 'Category and feed'],
  ['JoinRequest', 'Join requests'],
  ['Post', 'Post record'],
  ['Pin', 'Pin record'],
  ['PinTarget', 'Pin record'],
  ['Comment', 'Comment record'],
  ['Reaction3', 'Reactor'],
  ['Story', 'Story record'],
  ['StoryTarget', 'Story target'],
  ['Poll', 'Poll record'],
  ['VideoStream', 'Video streams'],
  ['Room', 'Rooms'],
  ['Channel', 'Channel record'],
  ['ChannelUser', 'Channel user'],
  ['MessagePreview', 'Channel arrays'],
  ['MessageFeedInfo', 'Channel arrays'],
  ['MessageFeed', 'Message feed record'],
  ['Message', 'Message record'],
  ['Message2', 'Message version 3'],
  ['UserFeedMarker', 'Marker records'],
  ['UserEntityMarker', 'Marker records'],
  ['UserMarker', 'Marker records'],
  ['FeedMarker', 'Marker records'],
  ['EventEnvelope', 'Event envelope'],
  ['PushEnvelope', 'Push notifications'],
  ['PushPostEventData', 'Push notifications'],
])('the interface reference names every field of %s', (schema, heading) => {
  const documented = new Set([...sections.get(heading)!.matchAll(/`(\w+)\??`/g)].map(([, name]) => name!));
  const fields = Object.keys(schemas[schema]!.properties!);
  expect(fields.length).toBeGreaterThan(1);
  expect(fields.filter((field) => !documented.has(field))).toEqual([]);
});
