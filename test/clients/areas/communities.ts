import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import type { Json } from '../rest-user.ts';

const ids = (communities: Json[]) => communities.map(({ communityId }) => communityId);

export const communities: Area = {
  name: 'communities',
  async run({ sdk, step, display, second, version, subscribe }) {
    const { CommunityRepository, CategoryRepository } = sdk;
    const { Membership, Moderation } = CommunityRepository;
    const theirs = await second.createCommunity({ displayName: 'Lighthouse', tags: ['light'] });
    const open = await second.createCommunity({ displayName: 'Pier' });
    let own: Json;
    await step('creates a community', async () => {
      const fields = {
        displayName: 'Regatta',
        description: 'Races',
        isPublic: true,
        tags: ['sail'],
        metadata: { cup: 1 },
      };
      ({ data: own } = await CommunityRepository.createCommunity({ ...fields, userIds: [second.userId] }));
      assert.equal(own.displayName, 'Regatta');
      assert.equal(own.isJoined, true);
    });
    await step('displays a community', async () => {
      const live = display((callback) => CommunityRepository.getCommunity(theirs.communityId, callback));
      assert.equal((await live.loaded()).displayName, 'Lighthouse');
    });
    await step('reads communities by their ids', async () => {
      const { data } = await CommunityRepository.getCommunityByIds([theirs.communityId, open.communityId]);
      assert.deepEqual(ids(data).sort(), [theirs.communityId, open.communityId].sort());
    });
    await step('displays communities', async () => {
      const live = display((callback) =>
        CommunityRepository.getCommunities({ sortBy: 'lastCreated', limit: 3 }, callback),
      );
      await live.until('three communities were expected', (data) => data.length === 3);
    });
    await step('displays the next page of communities', async () => {
      const live = display((callback) =>
        CommunityRepository.getCommunities({ sortBy: 'firstCreated', limit: 2 }, callback),
      );
      const { length } = await live.until(
        'a first page was expected',
        (data) => data.length >= 2 && live.now!.hasNextPage,
      );
      live.now!.onNextPage!();
      await live.until('a second page was expected', (data) => data.length > length);
    });
    await step('displays the communities it joined', async () => {
      const live = display((callback) =>
        CommunityRepository.getCommunities({ membership: 'member', limit: 10 }, callback),
      );
      await live.until(
        'only its own were expected',
        (data) => data.length > 0 && data.every((one: Json) => one.isJoined),
      );
    });
    await step('finds a community by name', async () => {
      const params = { displayName: 'Lightho', limit: 5 };
      const live = display((callback) => CommunityRepository.searchCommunities(params, callback));
      await live.until('Lighthouse was expected', (data) => ids(data).includes(theirs.communityId));
    }, ['CommunityRepository.searchCommunities']);
    await step('joins a community', async () => {
      assert.equal(await CommunityRepository.joinCommunity(open.communityId), true);
      const live = display((callback) => CommunityRepository.getCommunity(open.communityId, callback));
      await live.until('membership was expected', (data) => data.isJoined);
    });
    await step('leaves a community', async () => {
      assert.equal(await CommunityRepository.leaveCommunity(open.communityId), true);
      const live = display((callback) => CommunityRepository.getCommunity(open.communityId, callback));
      await live.until('no membership was expected', (data) => !data.isJoined);
    });
    await step('changes a community', async () => {
      const { data } = await CommunityRepository.updateCommunity(own.communityId, { displayName: 'Grand regatta' });
      assert.equal(data.displayName, 'Grand regatta');
    });
    await step("displays another user's change of a community", async () => {
      const live = display((callback) => CommunityRepository.getCommunity(theirs.communityId, callback));
      await subscribe(sdk.getCommunityTopic(await live.loaded()));
      await second.put(`/api/v3/communities/${theirs.communityId}`, { description: 'White and red' });
      await live.until('the change was expected', (data) => data.description === 'White and red');
    });
    await step('displays members', async () => {
      const live = display((callback) => Membership.getMembers({ communityId: own.communityId }, callback));
      await live.until('two members were expected', (data) => data.length === 2);
    });
    await step('finds a member by name', async () => {
      const params = { communityId: own.communityId, search: 'ben' };
      const live = display((callback) => Membership.searchMembers(params, callback));
      await live.until('Ben was expected', (data) => data.some((member: Json) => member.userId === second.userId));
    }, ['CommunityRepository.Membership.searchMembers']);
    await step('adds a member', async () => {
      assert.equal(await Membership.addMembers(own.communityId, ['carol']), true);
    });
    await step('removes a member', async () => {
      assert.equal(await Membership.removeMembers(own.communityId, ['carol']), true);
    });
    await step('gives a role', async () => {
      const given = await Moderation.addRoles(own.communityId, ['community-moderator'], [second.userId]);
      assert.equal(given, true);
      const params = { communityId: own.communityId, roles: ['community-moderator'] };
      const live = display((callback) => Membership.getMembers(params, callback));
      await live.until('two moderators were expected', (data) => data.length === 2);
    });
    await step('takes a role away', async () => {
      const taken = await Moderation.removeRoles(own.communityId, ['community-moderator'], [second.userId]);
      assert.equal(taken, true);
    });
    await step('bans a member', async () => {
      const { data } = await Moderation.banMembers(own.communityId, [second.userId]);
      assert.ok(data.some((member: Json) => member.userId === second.userId));
    });
    await step('lifts the ban of a member', async () => {
      const { data } = await Moderation.unbanMembers(own.communityId, [second.userId]);
      assert.ok(Array.isArray(data));
    });
    await step('displays a member who joins', async () => {
      const live = display((callback) => Membership.getMembers({ communityId: own.communityId }, callback));
      await live.loaded();
      await subscribe(sdk.getCommunityTopic(own));
      await second.post(`/api/v3/communities/${own.communityId}/join`);
      await live.until('Ben was expected', (data) => data.some((member: Json) => member.userId === second.userId));
    });
    await step('displays categories', async () => {
      const live = display((callback) => CategoryRepository.getCategories({ limit: 5 }, callback));
      await live.until('categories were expected', (data) => data.length > 0);
    });
    await step('reads a category', async () => {
      const { categories } = await second.call('/api/v3/community-categories');
      const { data } = await CategoryRepository.getCategory(categories[0].categoryId);
      assert.equal(data.categoryId, categories[0].categoryId);
    });
    await step('displays recommended communities', async () => {
      const live = display((callback) => CommunityRepository.getRecommendedCommunities({ limit: 5 }, callback));
      await live.until('communities it is not in were expected', (data) => data.every((one: Json) => !one.isJoined));
    });
    await step('displays trending communities', async () => {
      const live = display((callback) => CommunityRepository.getTrendingCommunities({ limit: 5 }, callback));
      await live.until('communities were expected', (data) => data.length > 0);
    });
    await step('reads the top of the trending communities', async () => {
      const { data } = await CommunityRepository.getTopTrendingCommunities({ limit: 5 });
      assert.ok(data.length > 0, 'no communities');
    }, ['CommunityRepository.getTopTrendingCommunities']);
    await step('finds communities by meaning', async () => {
      const live = display((callback) =>
        CommunityRepository.semanticSearchCommunities({ query: 'lighthouse' }, callback),
      );
      await live.until('Lighthouse was expected', (data) => ids(data).includes(theirs.communityId));
    }, ['CommunityRepository.semanticSearchCommunities']);
    if (version >= 700) await joinRequests({ sdk, step, display, second });
    await step('deletes a community', async () => {
      const deleted = await CommunityRepository.deleteCommunity(own.communityId);
      assert.equal(deleted.isDeleted, true);
    });
  },
};

type Parts = Pick<Parameters<Area['run']>[0], 'sdk' | 'step' | 'display' | 'second'>;

/** Communities that approve their members, which the newest client knows. */
async function joinRequests({ sdk, step, display, second }: Parts): Promise<void> {
  const { CommunityRepository } = sdk;
  const guarded = await second.createCommunity({ displayName: 'Dry dock', requiresJoinApproval: true });
  const free = await second.createCommunity({ displayName: 'Beach' });
  const communityOf = (id: string) =>
    display((callback) => CommunityRepository.getCommunity(id, callback)).until(
      'a community was expected',
      (data) => data.join,
    );
  await step('joins through the community itself', async () => {
    const { status } = await (await communityOf(free.communityId)).join();
    assert.equal(status, 'success');
  });
  await step('asks to join a community', async () => {
    const { status, request } = await (await communityOf(guarded.communityId)).join();
    assert.equal(status, 'pending');
    assert.equal(request.status, 'pending');
  });
  await step('reads its own request', async () => {
    const request = await (await communityOf(guarded.communityId)).getMyJoinRequest();
    assert.equal((request.data ?? request).status, 'pending');
  });
  await step('displays its requests to join some communities', async () => {
    const communityIds = [guarded.communityId, free.communityId];
    const live = display((callback) => CommunityRepository.getJoinRequestList({ communityIds }, callback));
    await live.until('one request was expected', (data) => data.length === 1);
  });
  await step('withdraws its request', async () => {
    const request = await (await communityOf(guarded.communityId)).getMyJoinRequest();
    await (request.data ?? request).cancel();
  });
  const own = await CommunityRepository.createCommunity({ displayName: 'Boathouse', requiresJoinApproval: true });
  const { communityId } = own.data;
  await second.post(`/api/v4/communities/${communityId}/join`);
  const requests = (community: Json) =>
    display((callback) => community.getJoinRequests({ status: 'pending' }, callback)).until(
      'a request was expected',
      (data) => data.length === 1,
    );
  await step('displays requests to join', async () => {
    const [request] = await requests(await communityOf(communityId));
    assert.equal(request.requestorPublicId, second.userId);
  });
  await step('approves a request to join', async () => {
    const [request] = await requests(await communityOf(communityId));
    await request.approve();
    const { communities } = await second.call(`/api/v3/communities/${communityId}`);
    assert.equal(communities[0].isJoined, true);
  });
  await step('rejects a request to join', async () => {
    await second.delete(`/api/v3/communities/${communityId}/leave`);
    await second.post(`/api/v4/communities/${communityId}/join`);
    const [request] = await requests(await communityOf(communityId));
    await request.reject();
  });
}
