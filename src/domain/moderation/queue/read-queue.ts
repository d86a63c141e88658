import type { ReadBudget } from '../../../limits/read-budget.ts';
import { positionOf } from '../../../store/keyset.ts';
import type { KeysetOrder, Position } from '../../../store/keyset-query.ts';
import { checkCursors, type Page, type PageRequest, slicePage } from '../../../store/page.ts';
import type { BaseRecord } from '../../../store/records/base.ts';
import type { QueueSource } from '../../flag/queue-source.ts';
import { type QueuedRecord, type QueueItem, toQueueItem } from './queue-item.ts';

/** The most records that one page reads in search of those that the viewer moderates. */
const MAX_SCANNED = 2_000;

interface QueueRead {
  sources: readonly QueueSource[];
  order: KeysetOrder;
  request: PageRequest;
  budget: ReadBudget;
}

/**
 * Reads one page of several sources, each from an index in the order of the queue, and merges them. Records that the
 * viewer does not moderate are skipped; when the scan limit is reached first, the page is short and still has a next one.
 */
export async function readQueuePage({ sources, order, request, budget }: QueueRead): Promise<Page<QueueItem>> {
  checkCursors(request, order);
  const { backward } = request;
  const limit = request.limit + 1;
  const items: QueueItem[] = [];
  let edge: Position | null = backward ? request.before : request.after;
  let exhausted = sources.length === 0;
  for (let scanned = 0; items.length < limit && !exhausted && scanned < MAX_SCANNED; ) {
    const page = {
      order,
      limit,
      backward,
      budget,
      ...(backward ? { before: edge, after: request.after } : { after: edge, before: request.before }),
    };
    const chunks = await Promise.all(
      sources.map(async (source) => {
        const records = await source.read(page);
        return backward ? records.reverse() : records;
      }),
    );
    exhausted = chunks.every((records) => records.length < limit);
    const end = exhausted
      ? null
      : firstEnd(
          chunks.filter((records) => records.length === limit),
          order,
          backward,
        );
    const isReached = (record: BaseRecord) => end === null || compare(record, end, order, backward) <= 0;
    const reached = chunks.map((records) => records.filter(isReached));
    const moderated = await Promise.all(
      sources.map(async ({ kind, moderated }, index) =>
        (await moderated(reached[index]!)).map((record) => toQueueItem(kind, record as QueuedRecord)),
      ),
    );
    const found = moderated.flat().sort((a, b) => compare(a, b, order, backward));
    if (backward) items.unshift(...found.reverse());
    else items.push(...found);
    scanned += reached.flat().length;
    if (end) edge = positionOf(end, order);
  }
  return slicePage({ records: items, order, request, exhausted, edge });
}

/** The last record of the source that reaches least far: beyond it, that source may have records that were not read. */
function firstEnd(chunks: BaseRecord[][], order: KeysetOrder, backward: boolean): BaseRecord {
  return chunks.map((records) => records.at(-1)!).reduce((a, b) => (compare(a, b, order, backward) < 0 ? a : b));
}

type Positioned = Pick<BaseRecord, '_id' | 'createdAt'>;

/** Compares in the order of reading. */
function compare(a: Positioned, b: Positioned, order: KeysetOrder, backward: boolean): number {
  const [left, right] = [positionOf(a, order), positionOf(b, order)];
  const byTime = Number(left.value) - Number(right.value);
  const byId = left.id === right.id ? 0 : left.id < right.id ? -1 : 1;
  return (byTime || byId) * order.direction * (backward ? -1 : 1);
}
