import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { CategoryRecord } from '../../store/records/community.ts';

/** An event about a category. */
export function categoryEvent(
  type: NameOf<'category'>,
  { networkId, categoryId }: Pick<CategoryRecord, 'networkId' | 'categoryId'>,
): NewEvent {
  return { type, path: `${networkId}/category/${categoryId}`, data: { categoryId } };
}
