import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutations } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const change = mutations(() => gateway);
const GARDENERS = { targetType: 'COMMUNITY', targetId: 'gardeners' };
const userIds = (users: Array<{ userId: string }>) => users.map(({ userId }) => userId);
/** Views and stories are ordered by time, in milliseconds. */
async function nextMillisecond(): Promise<void> {
  for (const from = Date.now(); Date.now() === from; ) await new Promise((resolve) => setImmediate(resolve));
}

test.each(['post', 'story'] as const)(
  'lists the viewers of a %s for its author and moderators, latest first',
  async (kind) => {
    const author = kind === 'post' ? 'bob' : 'alice';
    const input = kind === 'post' ? { data: { text: 'Who sees?' } } : { dataType: 'TEXT', data: { text: 'Who sees?' } };
    const create = kind === 'post' ? 'createPost' : 'createStory';
    const id = (await change(author, create, { ...GARDENERS, ...input }, `${kind} { ${kind}Id }`))[kind][`${kind}Id`];
    const path = `/api/v1/analytics/views/${kind === 'post' ? 'posts' : 'stories'}/${id}/users`;
    expect((await gateway.rest(path, { as: author })).body).toEqual({ users: [], files: [], paging: {} });
    for (const as of ['carol', 'kim', 'erin', 'carol']) {
      await change(as, 'recordViews', { [`${kind}Ids`]: [id] }, `${kind}Ids`);
      await nextMillisecond();
    }
    const first = await gateway.rest(`${path}?limit=2`, { as: author });
    expect([first.status, userIds(first.body.users)]).toEqual([200, ['erin', 'kim']]);
    const token = encodeURIComponent(first.body.paging.next);
    expect(userIds((await gateway.rest(`${path}?token=${token}`, { as: author })).body.users)).toEqual(['carol']);
    const list = `{ ${kind}Viewers(${kind}Id: "${id}") { edges { node { userId } } } }`;
    const seen = await ask(gateway, list, { as: 'alice' });
    expect(seen[`${kind}Viewers`].edges.map(({ node }: { node: { userId: string } }) => node.userId)).toEqual([
      'erin',
      'kim',
      'carol',
    ]);
    expect((await gateway.rest(path, { as: 'carol' })).body.code).toBe(400301);
    expect((await gateway.rest(path, { as: 'dave' })).body.code).toBe(400400);
    expect((await gateway.rest(path.replace(id, 'none'), { as: author })).body.code).toBe(400400);
    expect((await gateway.rest(`${path}?limit=101`, { as: author })).status).toBe(422);
    expect((await gateway.rest(`${path}?token=nonsense`, { as: author })).status).toBe(400);
  },
);

test('lists the unexpired, visible stories of several targets', async () => {
  const story = async (as: string, target: object) => {
    await nextMillisecond();
    const input = { ...target, dataType: 'TEXT', data: { text: 'x' } };
    return (await change(as, 'createStory', input, 'story { storyId }')).story.storyId as string;
  };
  const first = await story('erin', { targetType: 'USER', targetId: 'erin' });
  const hidden = await story('frank', { targetType: 'COMMUNITY', targetId: 'orchard-keepers' });
  const deletedStory = await story('erin', { targetType: 'USER', targetId: 'erin' });
  await change('erin', 'deleteStory', { storyId: deletedStory }, 'story { storyId }');
  const last = await story('alice', GARDENERS);
  const targets = ['user erin', 'community orchard-keepers', 'community gardeners', 'user nobody', 'user erin'];
  const query = targets
    .map((target, index) => {
      const [targetType, targetId] = target.split(' ');
      return `targets[${index}][targetType]=${targetType}&targets[${index}][targetId]=${targetId}`;
    })
    .join('&');
  const get = async (as: string, order: string) => {
    const answer = await gateway.rest(`/api/v4/stories-by-targets?${query}&options[orderBy]=${order}`, { as });
    const ids = answer.body.stories.map(({ storyId }: { storyId: string }) => storyId);
    return ids.filter((id: string) => [first, hidden, deletedStory, last].includes(id));
  };
  expect(await get('bob', 'desc')).toEqual([last, first]);
  expect(await get('bob', 'asc')).toEqual([first, last]);
  expect(await get('frank', 'asc')).toEqual([first, hidden, last]);
  expect(await get('dave', 'asc')).toEqual([first]);
});

test('returns story targets in the requested order', async () => {
  const input = { ...GARDENERS, dataType: 'TEXT', data: { text: 'See' } };
  const { story } = await change('alice', 'createStory', input, 'story { storyId expiresAt }');
  await change('erin', 'markStorySeen', { storyId: story.storyId }, 'story { storyId }');
  const path =
    '/api/v4/stories/seen?targets[0][targetType]=user&targets[0][targetId]=erin&targets[1][targetType]=community&targets[1][targetId]=gardeners&targets[2][targetType]=community&targets[2][targetId]=orchard-keepers';
  const { body } = await gateway.rest(path, { as: 'erin' });
  const [own, gardeners] = body.storyTargets;
  expect(body.storyTargets.map(({ targetId }: { targetId: string }) => targetId)).toEqual(['erin', 'gardeners']);
  expect(own.lastStorySeenExpiresAt).toBeNull();
  expect(gardeners.lastStorySeenExpiresAt).toBe(story.expiresAt);
  expect(body.communities.map(({ communityId }: { communityId: string }) => communityId)).toEqual(['gardeners']);
  expect(userIds(body.users)).toContain('erin');
});

test('rejects no targets, too many and invalid ones', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `targets[${n}][targetType]=user&targets[${n}][targetId]=u${n}`).join('&');
  const wrong = ['', many(11), 'targets[0][targetType]=content&targets[0][targetId]=a', 'targets=gardeners'];
  for (const path of ['/api/v4/stories/seen', '/api/v4/stories-by-targets']) {
    expect((await gateway.rest(`${path}?${many(10)}`)).status).toBe(200);
    for (const query of wrong) expect([query, (await gateway.rest(`${path}?${query}`)).status]).toEqual([query, 422]);
  }
  const tooMany = Array.from({ length: 11 }, (_, n) => ({ targetType: 'USER', targetId: `u${n}` }));
  const { errors } = await gateway.graphql(
    'query ($targets: [StoryTargetInput!]!) { storiesOfTargets(targets: $targets) { storyId } }',
    { variables: { targets: tooMany } },
  );
  expect(errors?.[0]?.extensions?.code).toBe('INVALID_PARAMETERS');
});
