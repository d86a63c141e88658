/** What a moderator does with content, where the API allows it. */
export interface Act {
  name: 'approve' | 'decline' | 'clearFlags' | 'remove';
  /** The key that does it in the queue. */
  key: string;
  label: string;
  /** Past participle, after "is" or "are". */
  done: string;
  consequence: string;
  isDanger?: true;
}

export const ACTS: readonly Act[] = [
  { name: 'approve', key: 'a', label: 'Approve', done: 'approved', consequence: 'Users see it.' },
  {
    name: 'decline',
    key: 'd',
    label: 'Decline',
    done: 'declined',
    consequence: 'Only the author and moderators see it.',
  },
  {
    name: 'clearFlags',
    key: 'c',
    label: 'Clear flags',
    done: 'cleared of flags',
    consequence: 'The content stays, and users can flag it again.',
  },
  {
    name: 'remove',
    key: 'x',
    label: 'Delete',
    done: 'deleted',
    consequence: 'Users no longer see it.',
    isDanger: true,
  },
];
