import { type Context, type Viewer, viewerOf } from '../../context.ts';
import type { HashFlag } from '../../store/records/base.ts';
import { mayHaveFlagged, withFlagOf } from './hash-flag.ts';

/**
 * The filter of a record as its viewer may see it: the whole of it for moderators, else one that holds the viewer's own
 * flag alone, or null. A filter of all flaggers would tell anyone who tests user ids against it who flagged a record.
 */
export function visibleHashFlag(
  context: Context,
  hashFlag: HashFlag | null,
  moderates: (viewer: Viewer) => boolean | Promise<boolean>,
): HashFlag | null | Promise<HashFlag | null> {
  // Sessions are answered before anyone is signed in.
  if (hashFlag === null || context.viewer === null) return null;
  const viewer = viewerOf(context);
  const shown = (isModerator: boolean) => (isModerator ? hashFlag : ownHashFlag(hashFlag, viewer.userId));
  const answer = moderates(viewer);
  return typeof answer === 'boolean' ? shown(answer) : answer.then(shown);
}

function ownHashFlag(hashFlag: HashFlag, userId: string): HashFlag | null {
  if (!mayHaveFlagged(hashFlag, userId)) return null;
  const { bits, hashes, hash } = hashFlag;
  return withFlagOf({ bits, hashes, hash: hash.map((word) => '0'.repeat(word.length)) }, userId);
}
