import type { ModerationAction } from '../../../generated/operations.ts';
import type { QueueItem } from './queue-item.ts';

/** What a moderator decides about an item of the queue. */
export interface Decision {
  action: ModerationAction;
  /** The key that decides so about the current or the selected items. */
  key: string;
  label: string;
  /** Past participle, after "is" or "are". */
  done: string;
  consequence: string;
  isDanger?: true;
  appliesTo(item: QueueItem): boolean;
}

const isInReview = ({ states }: QueueItem) => states.includes('AWAITING_REVIEW');
const isFlagged = ({ states }: QueueItem) => states.includes('FLAGGED');
const canDelete = ({ content }: QueueItem) => 'viewerCanDelete' in content && content.viewerCanDelete;

export const DECISIONS: readonly Decision[] = [
  {
    action: 'APPROVE',
    key: 'a',
    label: 'Approve',
    done: 'approved',
    consequence: 'The content is visible, and its flags are cleared.',
    appliesTo: () => true,
  },
  {
    action: 'DECLINE',
    key: 'd',
    label: 'Decline',
    done: 'declined',
    consequence: 'Only the author and moderators see it.',
    appliesTo: isInReview,
  },
  {
    action: 'CLEAR_FLAGS',
    key: 'c',
    label: 'Clear flags',
    done: 'cleared of flags',
    consequence: 'The content stays as it is, and users can flag it again.',
    appliesTo: (item) => isFlagged(item) && isInReview(item),
  },
  {
    action: 'DELETE',
    key: 'x',
    label: 'Delete',
    done: 'deleted',
    consequence: 'Users no longer see it.',
    isDanger: true,
    appliesTo: canDelete,
  },
  {
    action: 'BAN_AUTHOR',
    key: 'b',
    label: 'Ban author',
    done: 'resolved with a ban',
    consequence: 'The author is banned, and the content is deleted.',
    isDanger: true,
    appliesTo: (item) => banPlaces(item).length > 0 && (item.kind === 'USER' || canDelete(item)),
  },
];

export type BanPlace = 'NETWORK' | 'COMMUNITY' | 'CHANNEL';

/** From what the viewer may ban the author of an item. */
export function banPlaces({ author, community, channel }: QueueItem): BanPlace[] {
  return [
    ...(author?.viewerCanBan ? ['NETWORK' as const] : []),
    ...(community?.viewerCanBanMembers ? ['COMMUNITY' as const] : []),
    ...(channel?.viewerCanModerate ? ['CHANNEL' as const] : []),
  ];
}
