import type { Document } from 'bson';
import { badValue, CommandError, distinctValues, encodeKey, isNumber, spendSteps, toNumber } from '../lib/index.ts';
import {
  countWithPauses,
  DEFAULT_CONTEXT,
  decode,
  type Plan,
  runPausing,
  runWithPauses,
  yieldToEventLoop,
} from '../query/index.ts';
import { MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import {
  type Command,
  countOption,
  namespaceOf,
  type Request,
  readerProgressOf,
  refuseCollation,
  textOption,
  viewOf,
} from './command.ts';
import { filterOf, planFor } from './queries.ts';

export const COUNT_OPTIONS = ['query', 'limit', 'skip', 'hint', 'collation', 'fields'];
export const DISTINCT_OPTIONS = ['key', 'query', 'collation'];

export const count: Command = {
  readConcernLevels: ['local', 'majority', 'linearizable', 'available'],
  options: COUNT_OPTIONS,
  async run(request) {
    const { body } = request;
    const skip = countOption(body, 'skip') ?? 0;
    // A negative limit means its absolute value, as in MongoDB.
    const limit = (isNumber(body.limit) && Math.abs(toNumber(body.limit))) || Number.POSITIVE_INFINITY;
    const plan = planCount(request, body);
    const progress = readerProgressOf(request);
    const all = await runWithPauses(countWithPauses(plan, viewOf(request), progress, skip + limit), progress);
    return { n: Math.min(Math.max(0, all - skip), limit) };
  },
};

export function planCount(request: Request, body: Document): Plan {
  countOption(body, 'skip');
  if (body.limit != null && !isNumber(body.limit)) throw badValue('limit value is not a valid number');
  return planQueryOf(request, body, body.count);
}

export const planDistinct = (request: Request, body: Document): Plan => planQueryOf(request, body, body.distinct);

function planQueryOf(request: Request, body: Document, collection: unknown): Plan {
  refuseCollation(body);
  return planFor(request, {
    context: DEFAULT_CONTEXT,
    ns: `${request.db}.${collection}`,
    filter: filterOf(body.query, 'query'),
    hint: body.hint,
  });
}

/** Evaluation steps for deduplicating one value. */
const VALUE_STEPS = 8;

export const distinct: Command = {
  readConcernLevels: ['local', 'majority', 'linearizable', 'available', 'snapshot'],
  options: DISTINCT_OPTIONS,
  isAllowedInTransaction: true,
  async run(request) {
    const { body } = request;
    namespaceOf(request);
    const key = textOption(body, 'key');
    spendSteps(key.length);
    const found = new Map<string, unknown>();
    let size = 0;
    const progress = readerProgressOf(request);
    for (const row of runPausing(planDistinct(request, body), viewOf(request), progress)) {
      if (!row) {
        await yieldToEventLoop(progress);
        continue;
      }
      for (const value of distinctValues(decode(row.bytes), key.split('.'))) {
        spendSteps(VALUE_STEPS);
        const id = encodeKey([value], [1]).toString('latin1');
        if (found.has(id)) continue;
        found.set(id, value);
        size += id.length;
        if (size > MAX_DOCUMENT_SIZE) throw new CommandError(17217, 'distinct too big, 16mb cap');
      }
    }
    const { snapshot } = request;
    return { values: [...found.values()], ...(snapshot && { atClusterTime: snapshot.time }) };
  },
};
