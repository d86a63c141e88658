import type { Viewer } from '../context.ts';
import { mayInNetwork } from './network.ts';
import type { Permission } from './permissions.ts';

/** Permissions to moderate content, by its kind: in a community or channel, and elsewhere in the network. */
export const MODERATES = {
  post: { inPlace: 'EDIT_COMMUNITY_POST', elsewhere: 'EDIT_USER_FEED_POST' },
  comment: { inPlace: 'EDIT_COMMUNITY_COMMENT', elsewhere: 'EDIT_USER_FEED_COMMENT' },
  story: { inPlace: 'MANAGE_COMMUNITY_STORY', elsewhere: 'MANAGE_COMMUNITY_STORY' },
  message: { inPlace: 'DELETE_MESSAGE', elsewhere: null },
} as const satisfies { [kind: string]: { inPlace: Permission; elsewhere: Permission | null } };

/** Whether the viewer moderates people of the whole network: others see of an author's history what happened in a place. */
export function seesWholeHistory(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'BAN_USER');
}
