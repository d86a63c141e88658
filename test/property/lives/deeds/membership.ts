import { isBanned, isMember, MODERATOR, moderates, PEOPLE } from '../model.ts';
import { type Acts, agree, pick } from './deed.ts';

const anotherThanTheFirst = (which: number) => PEOPLE[1 + (which % (PEOPLE.length - 1))]!;

export const MEMBERSHIP: Acts = {
  async joins(model, real, { who }) {
    const expected = isBanned(model, who) ? 'BANNED' : 'done';
    await agree(real, expected, [who, 'joinCommunity', { communityId: real.communityId }]);
    if (expected !== 'done' || isMember(model, who)) return;
    model.standing.set(who, 'member');
    // Who joins has nothing unread.
    model.read.set(who, Math.max(model.read.get(who) ?? 0, model.messages.length));
  },

  async leaves(model, real, { who }) {
    if (who === MODERATOR || !isMember(model, who)) return;
    await agree(real, 'done', [who, 'leaveCommunity', { communityId: real.communityId }]);
    model.standing.set(who, 'none');
    model.moderators.delete(who);
    // Whoever is muted stays so, else leaving and coming back would end it.
  },

  async bans(model, real, { who, which }) {
    const other = anotherThanTheFirst(which);
    if (who === other || !isMember(model, other) || model.moderators.has(other)) return;
    const expected = moderates(model, who) ? 'done' : isBanned(model, who) ? 'BANNED' : 'PERMISSION_DENIED';
    await agree(real, expected, [
      who,
      'banCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    if (expected !== 'done') return;
    model.standing.set(other, 'banned');
  },

  async unbans(model, real, { which }) {
    const banned = PEOPLE.filter((person) => isBanned(model, person));
    const other = pick(banned, which);
    if (!other) return;
    await agree(real, 'done', [
      MODERATOR,
      'unbanCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    model.standing.set(other, 'none');
  },

  async promotes(model, real, { which }) {
    const other = anotherThanTheFirst(which);
    if (!isMember(model, other)) return;
    const roles = { communityId: real.communityId, roleIds: ['community-moderator'], userIds: [real.nameOf(other)] };
    const isAdding = !model.moderators.has(other);
    await agree(real, 'done', [MODERATOR, isAdding ? 'addCommunityRoles' : 'removeCommunityRoles', roles]);
    if (isAdding) model.moderators.add(other);
    else model.moderators.delete(other);
  },

  async asksForReview(model, real, { what }) {
    const needApprovalOnPostCreation = what % 2 === 0;
    await agree(real, 'done', [
      MODERATOR,
      'updateCommunity',
      { communityId: real.communityId, needApprovalOnPostCreation },
    ]);
    model.isReviewed = needApprovalOnPostCreation;
  },
};
