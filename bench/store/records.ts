import type { Document } from 'bson';
import { ObjectId } from 'bson';

export const NETWORK_ID = 'bench';
/** Records of one community, so a range of 50 costs the same however many records there are. */
const PER_COMMUNITY = 100;
/** Size that makes a record about 1 KB of BSON. */
const TEXT = 'It costs what it costs, and what it costs is written down here. '.repeat(10);

/** A post-like record of about 1 KB. The records of a community are far apart, as with concurrent writers. */
export function recordOf(index: number, count: number): Document {
  const createdAt = new Date(Date.UTC(2025, 0, 1) + index * 1_000);
  return {
    _id: idOf(index),
    networkId: NETWORK_ID,
    postId: postIdOf(index),
    userId: `user-${index % 1_000}`,
    communityId: communityOf(index, count),
    parentId: null,
    dataType: 'text',
    data: { text: TEXT },
    metadata: { source: 'bench', version: 1 },
    tags: ['bench', 'store', `tag-${index % 50}`],
    reactions: { like: index % 7, love: index % 3 },
    reactionsCount: (index % 7) + (index % 3),
    commentsCount: 0,
    isDeleted: false,
    createdAt,
    updatedAt: createdAt,
    editedAt: createdAt,
  };
}

export const idOf = (index: number): ObjectId => new ObjectId(index.toString(16).padStart(24, '0'));

/** As long as a public id and in random order, so that writes to its index are scattered. */
export const postIdOf = (index: number): string => mixed(index, 1) + mixed(index, 2) + mixed(index, 3);

export const communityOf = (index: number, count: number): string => `community-${index % communitiesIn(count)}`;

export const communitiesIn = (count: number): number => Math.max(1, Math.floor(count / PER_COMMUNITY));

/** A permutation of `count` indexes without locality. */
export const scattered = (step: number, count: number): number => (step * 2_654_435_761) % count;

/** Eight hexadecimal digits without relation to adjacent indexes; unique per index. */
function mixed(index: number, salt: number): string {
  let bits = Math.imul(index ^ (salt * 0x9e3779b9), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0).toString(16).padStart(8, '0');
}
