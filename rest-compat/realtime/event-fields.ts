import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../src/store/records/chat.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import type { JsonSchema } from '../answer-schema.ts';

/** Fields of an event's `data` besides its side arrays. */
export interface EventFields {
  /** Name of the schema of `data`. @default after the document */
  component?: string;
  schema: { readonly [name: string]: JsonSchema };
  read(root: EventRoot): { [name: string]: unknown };
}

const TEXT = { type: 'string' };
const MUTE_TIMEOUT = {
  anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
  description: 'End of the mute; null if it was ended. A mute without an end ends in the year 9999.',
};
const ACTOR = { anyOf: [TEXT, { type: 'null' }], description: 'Public id of the acting user.' };

/** Published clients compare `muteTimeout` with the current time, so a mute without an end needs a time. */
const NEVER = new Date('9999-12-31T23:59:59.999Z');

function timeoutOf({ isMuted, muteTimeout }: { isMuted: boolean; muteTimeout: Date | null }): Date | null {
  return isMuted ? (muteTimeout ?? NEVER) : null;
}

/** Published clients read `channel.setMuted` without its arrays, and find the channel by its internal id. */
export const CHANNEL_MUTE: EventFields = {
  component: 'ChannelMuteEventData',
  schema: {
    channelId: { ...TEXT, description: 'Internal id of the channel.' },
    muteTimeout: MUTE_TIMEOUT,
    actor: ACTOR,
    networkId: { ...TEXT, description: 'Id of the network.' },
  },
  read({ live: { event }, payload }) {
    const channel = payload.channel as ChannelRecord;
    const { actorId: actor, networkId } = event;
    return { channelId: channel._id.toHexString(), muteTimeout: timeoutOf(channel), actor, networkId };
  },
};

/** Published clients read `channel.setMutedUsers` without its arrays. */
export const MEMBER_MUTE: EventFields = {
  component: 'MemberMuteEventData',
  schema: {
    channelId: { ...TEXT, description: 'Public id of the channel.' },
    userIds: { type: 'array', items: TEXT, description: 'Public ids of the users.' },
    muteTimeout: MUTE_TIMEOUT,
    actor: ACTOR,
  },
  read({ live: { event }, payload }) {
    const { channelId } = payload.channel as ChannelRecord;
    const members = payload.channelUsers as ChannelUserRecord[];
    const [first] = members;
    return {
      channelId,
      userIds: members.map(({ userId }) => userId),
      muteTimeout: first ? timeoutOf(first) : null,
      actor: event.actorId,
    };
  },
};

export const ROOM_PARTICIPANT: EventFields = {
  schema: {
    eventActor: {
      type: 'object',
      required: ['userInternalId'],
      properties: { userInternalId: { ...TEXT, description: 'Internal id of the user who was added or removed.' } },
    },
  },
  read: ({ payload }) => ({ eventActor: { userInternalId: (payload.participant as UserRecord)._id.toHexString() } }),
};
