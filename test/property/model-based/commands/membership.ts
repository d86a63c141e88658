import { isBanned, isMember, MODERATOR, moderates, PEOPLE } from '../model.ts';
import { type Commands, mutateAndExpect, pick } from './command.ts';

const otherThanModerator = (target: number) => PEOPLE[1 + (target % (PEOPLE.length - 1))]!;

export const MEMBERSHIP: Commands = {
  async joins(model, real, { actor }) {
    const expected = isBanned(model, actor) ? 'BANNED' : 'done';
    await mutateAndExpect(real, expected, [actor, 'joinCommunity', { communityId: real.communityId }]);
    if (expected !== 'done' || isMember(model, actor)) return;
    model.membership.set(actor, 'member');
    // New members have nothing unread.
    model.read.set(actor, Math.max(model.read.get(actor) ?? 0, model.messages.length));
  },

  async leaves(model, real, { actor }) {
    if (actor === MODERATOR || !isMember(model, actor)) return;
    await mutateAndExpect(real, 'done', [actor, 'leaveCommunity', { communityId: real.communityId }]);
    model.membership.set(actor, 'none');
    model.moderators.delete(actor);
    // Users remain muted when they leave and join again.
  },

  async bans(model, real, { actor, target }) {
    const other = otherThanModerator(target);
    if (actor === other || !isMember(model, other) || model.moderators.has(other)) return;
    const expected = moderates(model, actor) ? 'done' : isBanned(model, actor) ? 'BANNED' : 'PERMISSION_DENIED';
    await mutateAndExpect(real, expected, [
      actor,
      'banCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    if (expected !== 'done') return;
    model.membership.set(other, 'banned');
  },

  async unbans(model, real, { target }) {
    const banned = PEOPLE.filter((person) => isBanned(model, person));
    const other = pick(banned, target);
    if (!other) return;
    await mutateAndExpect(real, 'done', [
      MODERATOR,
      'unbanCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    model.membership.set(other, 'none');
  },

  async promotes(model, real, { target }) {
    const other = otherThanModerator(target);
    if (!isMember(model, other)) return;
    const roles = { communityId: real.communityId, roleIds: ['community-moderator'], userIds: [real.nameOf(other)] };
    const isAdding = !model.moderators.has(other);
    await mutateAndExpect(real, 'done', [MODERATOR, isAdding ? 'addCommunityRoles' : 'removeCommunityRoles', roles]);
    if (isAdding) model.moderators.add(other);
    else model.moderators.delete(other);
  },

  async setsReview(model, real, { value }) {
    const needApprovalOnPostCreation = value % 2 === 0;
    await mutateAndExpect(real, 'done', [
      MODERATOR,
      'updateCommunity',
      { communityId: real.communityId, needApprovalOnPostCreation },
    ]);
    model.isReviewed = needApprovalOnPostCreation;
  },
};
