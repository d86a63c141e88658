import { type Findings, groupBy, keyBy, newestDate, type Snapshot } from './snapshot.ts';

/** Member counts, copies of names, and permissions, which derive from the roles. */
export function checkMembers(all: Snapshot, findings: Findings): void {
  const ofCommunity = groupBy(all.communityUsers, (member) => member.communityId);
  for (const community of all.communities) {
    const name = `community/${community.communityId}`;
    const members = (ofCommunity.get(community.communityId) ?? []).filter(
      (member) => member.communityMembership === 'member',
    );
    const moderators = members.filter((member) => member.roles.includes('community-moderator'));
    findings.expect(`${name} membersCount`, community.membersCount, members.length);
    findings.expect(`${name} moderatorMemberCount`, community.moderatorMemberCount, moderators.length);
  }
  const ofChannel = groupBy(all.channelUsers, (member) => member.channelId);
  for (const channel of all.channels) {
    const members = (ofChannel.get(channel.channelId) ?? []).filter(
      (member) => member.membership === 'member' && !member.isDeleted,
    );
    findings.expect(`channel/${channel.channelId} memberCount`, channel.memberCount, members.length);
  }
  const blocks = groupBy(all.userBlocks, (block) => block.userId);
  for (const user of all.users) {
    const count = blocks.get(user.userId)?.length ?? 0;
    findings.expect(`user/${user.userId} blockCount`, user.blockCount ?? 0, count);
    for (const session of all.sessions.filter(({ userId, revokedAt }) => userId === user.userId && !revokedAt))
      findings.expect(`session/${session.sessionId} hasBlocks`, session.hasBlocks ?? false, count > 0);
  }
  const followers = groupBy(all.follows, (follow) => follow.followedUserId);
  const following = groupBy(all.follows, (follow) => follow.userId);
  for (const user of all.users) {
    const count = (status: string, end: 'userId' | 'followedUserId') =>
      ((end === 'userId' ? following : followers).get(user.userId) ?? []).filter((follow) => follow.status === status)
        .length;
    const name = `user/${user.userId}`;
    findings.expect(`${name} followerCount`, user.followerCount ?? 0, count('accepted', 'followedUserId'));
    findings.expect(`${name} followingCount`, user.followingCount ?? 0, count('accepted', 'userId'));
    findings.expect(`${name} pendingCount`, user.pendingCount ?? 0, count('pending', 'followedUserId'));
  }
  for (const member of all.communityUsers) {
    const name = `communityUser/${member.communityId}/${member.userId}`;
    findings.expect(`${name} isBanned`, member.isBanned, member.communityMembership === 'banned');
  }
  for (const member of all.channelUsers) {
    const name = `channelUser/${member.channelId}/${member.userId}`;
    findings.expect(`${name} isBanned`, member.isBanned, member.membership === 'banned');
  }
}

/** Permissions are the union of those of the roles; member records copy the user's name. */
export function checkRoles(all: Snapshot, findings: Findings): void {
  const roles = keyBy(all.roles, (role) => role.roleId);
  const users = keyBy(all.users, (user) => user.userId);
  const check = (name: string, holder: { roles: string[]; permissions: string[]; updatedAt: Date }) => {
    const held = holder.roles.flatMap((roleId) => roles.get(roleId) ?? []);
    const given = new Set(held.flatMap((role) => role.permissions));
    // A change of a role does not update the permissions stored at its assignment: readers use the role.
    const isOlder = held.some((role) => role.updatedAt >= holder.updatedAt);
    if (!isOlder) findings.expect(`${name} permissions`, [...holder.permissions].sort(), [...given].sort());
    findings.expect(`${name} roles`, new Set(holder.roles).size, holder.roles.length);
    for (const roleId of holder.roles) findings.require(`${name} role ${roleId} exists`, roles.has(roleId));
  };
  for (const user of all.users) check(`user/${user.userId}`, user);
  for (const session of all.sessions.filter(({ revokedAt }) => !revokedAt))
    check(`session/${session.sessionId}`, session);
  for (const member of all.communityUsers) {
    const name = `communityUser/${member.communityId}/${member.userId}`;
    check(name, member);
    findings.expect(`${name} displayName`, member.displayName, users.get(member.userId)?.displayName);
  }
  for (const member of all.channelUsers) {
    const name = `channelUser/${member.channelId}/${member.userId}`;
    check(name, member);
    findings.expect(`${name} displayName`, member.displayName, users.get(member.userId)?.displayName);
  }
}

/** Votes are counted per answer; each vote names answers of its poll, only one if the poll allows only one. */
export function checkPolls(all: Snapshot, findings: Findings): void {
  const votesOf = groupBy(all.pollVotes, (vote) => vote.pollId);
  for (const poll of all.polls) {
    const name = `poll/${poll.pollId}`;
    const votes = votesOf.get(poll.pollId) ?? [];
    const answerIds = poll.answers.map((answer) => answer.id);
    for (const answer of poll.answers) {
      const count = votes.filter((vote) => vote.answerIds.includes(answer.id)).length;
      findings.expect(`${name} answer ${answer.id} voteCount`, answer.voteCount, count);
    }
    for (const vote of votes) {
      const isKnown = vote.answerIds.every((answerId) => answerIds.includes(answerId));
      const isOne = poll.answerType === 'multiple' || vote.answerIds.length === 1;
      findings.require(`${name} vote of ${vote.userId} fits the poll`, isKnown && isOne && vote.answerIds.length > 0);
    }
  }
}

/** Targets of pins and stories record the newest of their items. */
export function checkTargets(all: Snapshot, findings: Findings): void {
  const pins = groupBy(all.pins, (pin) => `${pin.targetType}/${pin.targetId}`);
  const pinTargets = keyBy(all.pinTargets, (target) => `${target.targetType}/${target.targetId}`);
  for (const [name, ofTarget] of pins) {
    const newest = newestDate(ofTarget.map((pin) => pin.pinnedAt));
    const target = pinTargets.get(name);
    findings.require(`pinTarget ${name} is as new as its pins`, !!target && target.lastPinsUpdatedAt >= newest!);
  }
  const stories = groupBy(
    all.stories.filter((story) => !story.isDeleted),
    (story) => `${story.targetType}/${story.targetId}`,
  );
  for (const target of all.storyTargets) {
    const name = `${target.targetType}/${target.targetId}`;
    const last = newestDate((stories.get(name) ?? []).map((story) => story.expiresAt));
    stories.delete(name);
    if (last) findings.expect(`storyTarget ${name} lastStoryExpiresAt`, target.lastStoryExpiresAt, last);
  }
  for (const name of stories.keys()) findings.require(`storyTarget ${name} exists`, false);
}
