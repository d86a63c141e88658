import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { HashFlag } from '../../store/records/base.ts';
import { mayHaveFlagged, withFlagOf } from './hash-flag.ts';

/**
 * The filter of flaggers as the viewer may see it: the whole filter for moderators, else one that contains only the
 * viewer's own flag, or null. Testing user ids against the whole filter would reveal who flagged the record.
 */
export function visibleHashFlag(
  context: Context,
  hashFlag: HashFlag | null,
  moderates: (viewer: Viewer) => MaybePromise<boolean>,
): MaybePromise<HashFlag | null> {
  // A response that creates a session has no viewer yet.
  if (hashFlag === null || context.viewer === null) return null;
  const viewer = viewerOf(context);
  return whenLoaded(moderates(viewer), (isModerator) =>
    isModerator ? hashFlag : ownHashFlag(hashFlag, viewer.userId),
  );
}

function ownHashFlag(hashFlag: HashFlag, userId: string): HashFlag | null {
  if (!mayHaveFlagged(hashFlag, userId)) return null;
  const { bits, hashes, hash } = hashFlag;
  return withFlagOf({ bits, hashes, hash: hash.map((word) => '0'.repeat(word.length)) }, userId);
}
