import { finishMemberships } from '../domain/user/update-memberships.ts';
import { ANONYMOUS_PROFILE } from '../store/records/anonymous-profile.ts';
import type { ErasureStep } from './erasure-run.ts';

/** Ends memberships and follows, copies the anonymous name to all of them, and clears what the reasons of bans and mutes say. */
export const endMembershipsStep: ErasureStep = {
  name: 'memberships',
  async run({ newContext, erasure: { networkId, userId } }) {
    const context = newContext();
    await finishMemberships(context, { networkId, userId });
    // Accounts that an earlier release deleted.
    const { users, communityUsers, channelUsers } = context.store.collections;
    await users.updateOne({ networkId, userId }, { $set: ANONYMOUS_PROFILE });
    const withReason = { networkId, userId, 'ban.reason': { $gt: '' } };
    const withoutReason = { $set: { 'ban.reason': null } };
    await users.updateMany(withReason, withoutReason);
    await communityUsers.updateMany(withReason, withoutReason);
    await channelUsers.updateMany(withReason, withoutReason);
    await channelUsers.updateMany({ networkId, userId, 'mute.reason': { $gt: '' } }, { $set: { 'mute.reason': null } });
  },
};

/** Deletes sessions with their device ids, push devices, topics, blocks of others and stored answers of the person. */
export const eraseSessionsStep: ErasureStep = {
  name: 'sessions',
  async run({ newContext, erasure: { networkId, userId } }) {
    const { collections } = newContext().store;
    const own = { networkId, userId };
    await collections.sessions.deleteMany(own);
    await collections.pushDevices.deleteMany(own);
    await collections.mqttSessions.deleteMany(own);
    await collections.userBlocks.deleteMany(own);
    await collections.keyedWrites.deleteMany(own);
  },
};
