import { omitsBlockedAuthors } from '../../../access/block.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../../lib/maybe-promise.ts';
import { isBlockedByViewer } from './blocks.ts';

interface Listed<Item> {
  /** Id of the user whose item it is. */
  authorOf: (item: Item) => string;
  /** Whether the viewer moderates the item's target; called only for items of blocked users. */
  isModerated: (item: Item) => MaybePromise<boolean>;
}

/** Leaves out items of users whom the viewer blocked, except where the viewer moderates. */
export function excludeBlockedAuthors<Item>(
  context: Context,
  items: Item[],
  { authorOf, isModerated }: Listed<Item>,
): MaybePromise<Item[]> {
  const viewer = viewerOf(context);
  if (!omitsBlockedAuthors(viewer, false)) return items;
  const areShown = items.map((item) =>
    whenLoaded(isBlockedByViewer(context, { userId: authorOf(item) }), (isBlocked) => {
      if (!isBlocked) return true;
      return whenLoaded(isModerated(item), (moderates) => !omitsBlockedAuthors(viewer, moderates));
    }),
  );
  return whenAllLoaded(areShown, (shown) => items.filter((_, index) => shown[index]));
}
