import { defaultFieldResolver, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient } from '../support/live.ts';
import { ask, mutations } from '../support/mutate.ts';

/** The author, a moderator, a member, a user who reacted and flagged, one who blocked that user, a non-member, an administrator. */
const USERS = ['alice', 'bob', 'carol', 'kim', 'grace', 'erin', 'admin'] as const;

let gateway: TestGateway;
const clients = new Map<string, LiveClient>();
beforeAll(async () => {
  gateway = await startTestGateway();
  for (const user of USERS) clients.set(user, await liveClient(gateway, user));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await gateway.close();
});
const mutate = mutations(() => gateway);

interface SharedEvent {
  event: string;
  type: NewEvent['type'];
  data: object;
  /** A field of the event with its selection. */
  field: string;
  selection: string;
  /** The query that returns the same record. */
  query: string;
}

/** The scalar and enum fields of a type that take no arguments. */
async function leavesOf(type: string): Promise<string> {
  const query = `{ __type(name: "${type}") { fields { name args { name } type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } }`;
  const { __type } = await ask(gateway, query);
  interface Type {
    kind: string;
    ofType?: Type;
  }
  const inner = (given: Type): string => (given.ofType ? inner(given.ofType) : given.kind);
  const fields: Array<{ name: string; args: unknown[]; type: Type }> = __type.fields;
  return fields
    .filter(({ args, type: given }) => args.length === 0 && ['SCALAR', 'ENUM'].includes(inner(given)))
    .map(({ name }) => name)
    .join(' ');
}

async function sharedEvents(): Promise<SharedEvent[]> {
  const [post, comment, community, user] = await Promise.all(['Post', 'Comment', 'Community', 'User'].map(leavesOf));
  const membership = await leavesOf('CommunityUser');
  const withMembership = `{ ${community} viewerMembership { ${membership} } }`;
  return [
    {
      event: 'postUpdated',
      type: 'post.updated',
      data: { postId: 'seedlings' },
      field: 'post',
      selection: `{ ${post} author { ${user} } }`,
      query: 'post(postId: "seedlings")',
    },
    {
      event: 'postUpdated',
      type: 'post.updated',
      data: { postId: 'seedlings' },
      field: 'post',
      selection: `{ postId latestComments { ${comment} author { ${user} } } community ${withMembership} authorMembership { ${membership} } viewerMembership { ${membership} } linkedUsers { ${user} } poll { pollId } }`,
      query: 'post(postId: "seedlings")',
    },
    {
      event: 'postUpdated',
      type: 'post.updated',
      data: { postId: 'seedlings' },
      field: 'post',
      selection: '{ postId data { text } }',
      query: 'post(postId: "seedlings")',
    },
    {
      event: 'commentUpdated',
      type: 'comment.updated',
      data: { commentId: 'tomatoes-carol' },
      field: 'comment',
      selection: `{ ${comment} author { ${user} } }`,
      query: 'comment(commentId: "tomatoes-carol")',
    },
    {
      event: 'communityUpdated',
      type: 'community.updated',
      data: { communityId: 'gardeners' },
      field: 'community',
      selection: withMembership,
      query: 'community(communityId: "gardeners")',
    },
    {
      event: 'userUpdated',
      type: 'user.updated',
      data: { userId: 'alice' },
      field: 'user',
      selection: `{ ${user} }`,
      query: 'user(userId: "alice")',
    },
    {
      event: 'userUpdated',
      type: 'user.updated',
      data: { userId: 'kim' },
      field: 'user',
      selection: '{ userId displayName }',
      query: 'user(userId: "kim")',
    },
  ];
}

test('a shared rendering contains for each subscriber exactly what their own query returns', async () => {
  await mutate(
    'kim',
    'addReaction',
    { referenceType: 'POST', referenceId: 'seedlings', reactionName: 'like' },
    '__typename',
  );
  await mutate('kim', 'flagPost', { postId: 'seedlings' }, '__typename');
  await mutate('grace', 'blockUser', { userId: 'kim' }, '__typename');
  await mutate('erin', 'flagUser', { userId: 'alice' }, '__typename');

  for (const { event, type, data, field, selection, query } of await sharedEvents()) {
    const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
    const document = `subscription ($after: String) { ${event}(after: $after) { path ${field} ${selection} } }`;
    // Two subscriptions each, from the same cursor, so that all share their renderings.
    const subscriptions = USERS.flatMap((user) =>
      [0, 1].map(() => ({ user, subscription: clients.get(user)!.listen(document, { after }) })),
    );
    const write = (round: number) => emit(gateway, [{ type, data, path: `default/shared/${round}` } as NewEvent]);
    const compared: Array<{ user: string; subscription: LiveSubscription; record: unknown }> = [];
    for (const { user, subscription } of subscriptions) {
      const queried = await gateway.graphql<Record<string, unknown>>(`{ queried: ${query} ${selection} }`, {
        as: user,
      });
      expect(queried.errors, document).toBeUndefined();
      if (queried.data.queried !== null) compared.push({ user, subscription, record: queried.data.queried });
    }
    // After the first event all subscriptions are live: they share the renderings of the others.
    await write(0);
    for (const { subscription } of compared) await subscription.until(1);
    for (const round of [1, 2, 3]) await write(round);
    for (const { user, subscription, record } of compared) {
      const events = await subscription.until(4);
      for (const event of events) expect(event[field], `${user}: ${document}`).toEqual(record);
    }
    expect(subscriptions.flatMap(({ subscription }) => subscription.errors)).toEqual([]);
    expect(compared.length).toBeGreaterThan(USERS.length);
    for (const { subscription } of subscriptions) subscription.stop();
  }
});

/** Counts how often posts are rendered, from the next document that selects `Post.impression`. */
function countRenderings(): { count: number } {
  const field = (schema.getType('Post') as GraphQLObjectType).getFields().impression!;
  const { resolve } = field;
  const rendered = { count: 0 };
  field.resolve = (...args) => {
    rendered.count += 1;
    return (resolve ?? defaultFieldResolver)(...args);
  };
  onTestFinished(() => {
    if (resolve) field.resolve = resolve;
    else delete field.resolve;
  });
  return rendered;
}

test('an event on the feed of a user is rendered once for users of equal rights, and once for all visitors', async () => {
  const rendered = countRenderings();
  const { post } = await mutate(
    'mia',
    'createPost',
    { targetType: 'USER', targetId: 'mia', data: { text: 'Hi' } },
    'post { postId }',
  );
  const { eventCursor: after } = await ask(gateway, '{ eventCursor }');
  const document =
    'subscription ($after: String) { postUpdated(after: $after) { path post { postId impression data { text } author { userId displayName } } } }';
  const equal = ['carol', 'erin', 'leo', 'mia', 'visitor#one', 'visitor#two', 'visitor#three'];
  const watchers = await Promise.all(equal.map((user) => liveClient(gateway, user)));
  onTestFinished(async () => void (await Promise.all(watchers.map((watcher) => watcher.close()))));
  const subscriptions = watchers.map((watcher) => watcher.listen(document, { after }));
  const write = (round: number) =>
    emit(gateway, [{ type: 'post.updated', data: post, path: `default/feed/${round}` } as NewEvent]);
  // After the first event all subscriptions are live.
  await write(0);
  for (const subscription of subscriptions) await subscription.until(1);
  for (const round of [1, 2, 3]) {
    rendered.count = 0;
    await write(round);
    for (const subscription of subscriptions) await subscription.until(round + 1);
    expect(rendered.count).toBe(2);
  }
});
