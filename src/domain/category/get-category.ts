import { canSeeCategory } from '../../access/category.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CategoryRecord } from '../../store/records/community.ts';

/** A category; a deleted one is visible to users who can delete categories. */
export async function getCategory(
  context: Context,
  { categoryId }: { categoryId: string },
): Promise<CategoryRecord | null> {
  const viewer = viewerOf(context);
  const category = await context.load.categories.load(categoryId);
  return category && canSeeCategory(viewer, category) ? category : null;
}
