import type { CategoryRecord } from '../../src/store/records/community.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Category } from './category.ts';

eventType('category', {
  about: 'a category',
  fields: (t) => ({
    category: t.field({
      type: Category,
      description: 'The category.',
      resolve: fromPayload<CategoryRecord>('category'),
    }),
  }),
});
