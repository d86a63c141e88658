import type { SampleNetwork } from '../context.ts';

/** Members with this role are counted in `moderatorMemberCount`. */
export const COMMUNITY_MODERATOR = 'community-moderator';

/** Counts the members and moderators of communities and the members of channels. */
export function deriveMembers(network: Partial<SampleNetwork>): void {
  const { communities = [], communityUsers = [], channels = [], channelUsers = [] } = network;
  const communitiesById = new Map(communities.map((community) => [community.communityId, community]));
  for (const member of communityUsers) {
    const community = communitiesById.get(member.communityId);
    if (!community || member.communityMembership !== 'member') continue;
    community.membersCount += 1;
    if (member.roles.includes(COMMUNITY_MODERATOR)) community.moderatorMemberCount += 1;
  }
  const channelsById = new Map(channels.map((channel) => [channel.channelId, channel]));
  for (const member of channelUsers) {
    const channel = channelsById.get(member.channelId);
    if (channel && member.membership === 'member' && !member.isDeleted) channel.memberCount += 1;
  }
}

/** Counts the followers, followed users and follow requests of each user. */
export function deriveFollows({ users = [], follows = [] }: Partial<SampleNetwork>): void {
  const usersById = new Map(users.map((user) => [user.userId, user]));
  const count = (userId: string, name: 'followerCount' | 'followingCount' | 'pendingCount') => {
    const user = usersById.get(userId);
    if (user) user[name] = (user[name] ?? 0) + 1;
  };
  for (const { userId, followedUserId, status } of follows) {
    if (status === 'accepted') count(userId, 'followingCount');
    count(followedUserId, status === 'accepted' ? 'followerCount' : 'pendingCount');
  }
}

/** Counts the votes of each poll answer. */
export function derivePolls(network: Partial<SampleNetwork>): void {
  const { polls = [], pollVotes = [] } = network;
  const pollsById = new Map(polls.map((poll) => [poll.pollId, poll]));
  for (const vote of pollVotes) {
    for (const answer of pollsById.get(vote.pollId)?.answers ?? []) {
      if (vote.answerIds.includes(answer.id)) answer.voteCount += 1;
    }
  }
}
