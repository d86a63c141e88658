import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestNetwork();
});
afterAll(async () => {
  await expectConsistent(gateway);
  await gateway.close();
});

const post = (input: object, select = 'post { postId }', as = 'bob') =>
  mutate(gateway, 'createPost', input, { select, as });

test('a share is counted on its original until it is deleted', async () => {
  const sharedCount = async () => (await ask(gateway, '{ post(postId: "tomatoes") { sharedCount } }')).post.sharedCount;
  const before = await sharedCount();
  const own = { targetType: 'USER', targetId: 'erin', sharedPostId: 'tomatoes' };
  const { post: share } = await post(
    own,
    'post { postId sharedUserId sharedUser { userId } sharedPost { postId } }',
    'erin',
  );
  expect(share).toMatchObject({
    sharedUserId: 'bob',
    sharedUser: { userId: 'bob' },
    sharedPost: { postId: 'tomatoes' },
  });
  expect(await sharedCount()).toBe(before + 1);
  await mutate(gateway, 'deletePost', { postId: share.postId }, { select: 'post { postId }', as: 'erin' });
  expect(await sharedCount()).toBe(before);
  expect(await post({ ...own, sharedPostId: 'tomatoes-1' }, 'post { postId }', 'erin')).toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(await post({ ...own, sharedPostId: 'grafting' }, 'post { postId }', 'erin')).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('posts of a private community can be shared inside it only', async () => {
  const communityInput = { displayName: 'Everybody welcome', isPublic: true };
  const { community } = await mutate(gateway, 'createCommunity', communityInput, {
    select: 'community { communityId }',
    as: 'frank',
  });
  const share = (target: object) => post({ ...target, sharedPostId: 'grafting' }, 'post { sharedPostId }', 'frank');
  for (const target of [
    { targetType: 'USER', targetId: 'frank' },
    { targetType: 'COMMUNITY', targetId: community.communityId },
  ]) {
    const message = 'Posts of a private community can only be shared inside it.';
    expect(await share(target)).toMatchObject({ code: 'FORBIDDEN', message });
  }
  expect(await share({ targetType: 'COMMUNITY', targetId: 'orchard-keepers' })).toMatchObject({
    post: { sharedPostId: 'grafting' },
  });
});
