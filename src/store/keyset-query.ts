import type { Collection, Document, Filter } from 'mongodb';
import type { ReadBudget } from '../limits/read-budget.ts';

/** Start or end of a page: the value of the sort field and the record's internal id, which breaks ties. */
export interface Position {
  value: Date | string | number;
  id: string;
}

export interface KeysetOrder {
  field: string;
  direction: 1 | -1;
  type: 'date' | 'number' | 'string';
}

export interface KeysetQuery<Record extends Document> {
  collection: Collection<Record>;
  /** Equality and residual conditions; needs an index on the equality fields followed by the sort field and `_id`. */
  filter: Filter<Record>;
  order: KeysetOrder;
  /** Start strictly after this position. */
  after?: Position | null | undefined;
  /** End strictly before this position. */
  before?: Position | null | undefined;
  /** Read from the end instead of the start; records are still returned in `order`. */
  backward?: boolean | undefined;
  limit: number;
  /** The read budget of the request. */
  budget: ReadBudget;
}
