import type { RoleRecord, UserRecord } from '../../store/records/user.ts';
import { defaultRoleRecords, roleRecord, userRecord } from '../builders/user.ts';
import type { SampleContext } from '../context.ts';

const PEOPLE: Array<[userId: string, displayName: string, description: string]> = [
  ['alice', 'Alice Moor', 'Keeps the gardeners together. Tomatoes, mostly.'],
  ['bob', 'Bob Hazel', 'Balcony, greenhouse, too many pots.'],
  ['carol', 'Carol Reed', 'Compost is a love story.'],
  ['dave', 'Dave Thorn', 'Knows better.'],
  ['erin', 'Erin Vale', 'Just looking over the fence.'],
  ['frank', 'Frank Orchard', 'Apples, pears and one stubborn quince.'],
  ['grace', 'Grace Lindell', 'Learning to graft.'],
  ['heidi', 'Heidi Bloom', 'Cut flowers for every table in the house.'],
  ['ivan', 'Ivan Root', 'Carrots. Only carrots.'],
  ['judy', 'Judy Marsh', 'A pond, frogs, and whatever likes wet feet.'],
  ['kim', 'Kim Sorrel', 'Herbs on the kitchen windowsill.'],
  ['leo', 'Leo Barrow', 'Builds raised beds for other people.'],
  ['mia', 'Mia Fern', 'Shade garden, and proud of it.'],
];

/** The users of the sample network, in the order of creation. */
export function sampleUsers(context: SampleContext): UserRecord[] {
  const people = PEOPLE.map(([userId, displayName, description], index) =>
    userRecord(context, {
      userId,
      displayName,
      description,
      avatarFileId: `avatar-${userId}`,
      createdAt: context.at(index),
      metadata: { city: index % 2 ? 'Ghent' : 'Leeds' },
    }),
  );
  return [
    userRecord(context, {
      userId: 'admin',
      displayName: 'Ada Min',
      description: 'Runs this network.',
      avatarFileId: 'avatar-admin',
      roles: ['global-admin'],
      createdAt: context.at(-60),
    }),
    ...people,
    userRecord(context, {
      userId: 'seedshop',
      displayName: 'The Seed Shop',
      description: 'Seeds by post since 1987.',
      avatarCustomUrl: `https://seedshop.${context.networkId}.invalid/icon.png`,
      isBrand: true,
      createdAt: context.at(20),
    }),
    userRecord(context, {
      userId: 'mallory',
      displayName: 'Mallory Weed',
      description: 'Banned everywhere.',
      isGlobalBan: true,
      createdAt: context.at(21),
    }),
    userRecord(context, {
      userId: 'oscar',
      displayName: 'Oscar Gone',
      profileHandle: null,
      isDeleted: true,
      createdAt: context.at(22),
      updatedAt: context.at(900),
    }),
  ];
}

/** The default roles, a role that the network created, and a deleted one. */
export function sampleRoles(context: SampleContext): RoleRecord[] {
  return [
    ...defaultRoleRecords(context),
    roleRecord(context, {
      roleId: 'seed-librarian',
      displayName: 'Seed librarian',
      permissions: ['PIN_COMMUNITY_POST', 'CREATE_COMMUNITY_CATEGORY'],
      rank: 20,
      createdAt: context.at(100),
    }),
    roleRecord(context, {
      roleId: 'night-watch',
      displayName: 'Night watch',
      permissions: ['MUTE_CHANNEL'],
      rank: 20,
      isDeleted: true,
      createdAt: context.at(101),
      updatedAt: context.at(200),
    }),
  ];
}
