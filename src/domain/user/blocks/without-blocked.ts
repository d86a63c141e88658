import { omitsBlockedAuthors } from '../../../access/block.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { isBlockedByViewer } from './blocks.ts';

interface Listed<Item> {
  /** Id of the user whose item it is. */
  authorOf: (item: Item) => string;
  /** Whether the viewer moderates the item's target; called only for items of blocked users. */
  isModerated: (item: Item) => Promise<boolean> | boolean;
}

/** Leaves out items of users whom the viewer blocked, except where the viewer moderates. */
export async function excludeBlockedAuthors<Item>(
  context: Context,
  items: Item[],
  { authorOf, isModerated }: Listed<Item>,
): Promise<Item[]> {
  const viewer = viewerOf(context);
  if (!omitsBlockedAuthors(viewer, false)) return items;
  const isShown = await Promise.all(
    items.map(async (item) => {
      if (!(await isBlockedByViewer(context, { userId: authorOf(item) }))) return true;
      return !omitsBlockedAuthors(viewer, await isModerated(item));
    }),
  );
  return items.filter((_, index) => isShown[index]);
}
