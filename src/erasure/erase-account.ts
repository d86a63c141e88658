import type { Collection, Document } from 'mongodb';
import { finishMemberships } from '../domain/user/update-memberships.ts';
import { ANONYMOUS_PROFILE, DELETED_USER_NAME } from '../store/records/anonymous-profile.ts';
import type { ErasureStep } from './erasure-run.ts';

/** Ends memberships and follows, copies the anonymous name to all of them, and clears what the reasons of bans and mutes say. */
export const endMembershipsStep: ErasureStep = {
  name: 'memberships',
  async run({ newContext, erasure: { networkId, userId }, proceed }) {
    const context = newContext();
    await finishMemberships(context, { networkId, userId }, proceed);
    const { users, communityUsers, channelUsers } = context.store.collections;
    // Accounts that an earlier release deleted.
    await users.updateOne({ networkId, userId }, { $set: ANONYMOUS_PROFILE });
    const own = { networkId, userId };
    const withReason = { ...own, 'ban.reason': { $gt: '' } };
    const withoutReason = { $set: { 'ban.reason': null } };
    await users.updateMany(withReason, withoutReason);
    // Names of memberships are copied from the user's record, which may be missing.
    const named = { ...own, displayName: { $ne: DELETED_USER_NAME } };
    const anonymous = { $set: { displayName: DELETED_USER_NAME } };
    for (const memberships of [communityUsers, channelUsers] as unknown[] as Collection<Document>[]) {
      await proceed();
      await memberships.updateMany(withReason, withoutReason);
      await memberships.updateMany(named, anonymous);
    }
    await channelUsers.updateMany({ ...own, 'mute.reason': { $gt: '' } }, { $set: { 'mute.reason': null } });
  },
};

/** Deletes sessions with their device ids, push devices, topics, blocks of others and stored answers of the person. */
export const eraseSessionsStep: ErasureStep = {
  name: 'sessions',
  async run({ newContext, erasure: { networkId, userId }, proceed }) {
    const { users, sessions, pushDevices, mqttSessions, userBlocks, keyedWrites, userExports } =
      newContext().store.collections;
    const all = [
      sessions,
      pushDevices,
      mqttSessions,
      userBlocks,
      keyedWrites,
      userExports,
    ] as unknown[] as Collection<Document>[];
    for (const collection of all) {
      await proceed();
      await collection.deleteMany({ networkId, userId });
    }
    await users.updateOne({ networkId, userId, blockCount: { $gt: 0 } }, { $set: { blockCount: 0 } });
    await users.updateOne({ networkId, userId, identityHash: { $exists: true } }, { $unset: { identityHash: '' } });
  },
};
