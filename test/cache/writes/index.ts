import type { WriteOperation } from './change.ts';
import { commentWrites } from './comment-writes.ts';
import { communityWrites } from './community-writes.ts';
import { messageWrites } from './message-writes.ts';
import { peopleWrites } from './people-writes.ts';
import { postWrites } from './post-writes.ts';

/** The writes, by name. */
export const WRITES: { [name: string]: WriteOperation } = {
  ...peopleWrites,
  ...communityWrites,
  ...postWrites,
  ...commentWrites,
  ...messageWrites,
};
