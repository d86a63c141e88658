import type { Document } from 'bson';
import { CommandError, type Filter, isDocument, type SortSpec } from '../lib/index.ts';
import { type CompileContext, compileFilter, compileSort, type Plan, planQuery } from '../query/index.ts';
import type { Collection, KeyRange } from '../storage/index.ts';
import type { Request } from './command.ts';
import { viewOf } from './command.ts';

export interface QuerySpec {
  /** What the expressions of the filter are compiled with. */
  context: CompileContext;
  ns: string;
  filter?: Document | undefined;
  sort?: Document | undefined;
  hint?: unknown;
  skip?: number | undefined;
  /** The collection, if the caller has it. */
  collection?: Collection | undefined;
}

/** Compiles and plans a query. A query that no index serves is refused or reported. */
export function planFor(
  request: Request,
  spec: QuerySpec,
  filter = compileFilter(spec.filter ?? {}, spec.context),
): Plan {
  // `$natural` selects a collection scan; it does not sort.
  if (spec.sort && '$natural' in spec.sort)
    return planCompiled(request, { ...spec, filter, sort: undefined, hint: spec.sort });
  const sort = spec.sort ? compileSort(spec.sort) : undefined;
  return planCompiled(request, { ...spec, filter, sort });
}

export interface CompiledQuery {
  ns: string;
  filter: Filter;
  sort?: SortSpec | undefined;
  hint?: unknown;
  skip?: number | undefined;
  collection?: Collection | undefined;
}

/** Whether a query reads one document by its id; as in MongoDB its sort is then ignored, even an invalid one. */
export const isReadById = ({ isById }: Filter, { hint, skip }: Pick<QuerySpec, 'hint' | 'skip'>): boolean =>
  isById && hint === undefined && !skip;

export function planCompiled(request: Request, query: CompiledQuery): Plan {
  const view = viewOf(request);
  const collection = query.collection ?? view.collection(query.ns);
  const sort = isReadById(query.filter, query) ? undefined : query.sort;
  const countEntries = (range: KeyRange, limit: number) => view.reader.countEntries(range, limit).count;
  const plan = planQuery({ ...query, sort, collection, canUse: view.canUse, countEntries });
  if (plan.access.kind === 'collection') reportUnindexed(request, query, plan);
  return plan;
}

const MAX_REPORTED = 1_000;
/** Reported shapes are truncated to this length; a filter may be as long as a message. */
const MAX_SHAPE_LENGTH = 1_000;

function reportUnindexed({ engine, name }: Request, { ns, filter, sort }: CompiledQuery, plan: Plan): void {
  const isEverything = filter.node.kind === 'and' && filter.node.children.length === 0 && !plan.sort;
  if (isEverything || name === 'explain') return;
  const whole = `${ns} ${shapeOf(filter.node)}${sort ? ` sorted by ${sort.fields.map(([path, direction]) => `${path}:${direction}`).join()}` : ''}`;
  const shape = whole.length > MAX_SHAPE_LENGTH ? `${whole.slice(0, MAX_SHAPE_LENGTH)} …` : whole;
  const message = `no index serves the query on ${shape}`;
  if (engine.settings.refuseUnindexed) throw new CommandError(96, message);
  const { reportedShapes } = engine;
  if (reportedShapes.has(shape) || reportedShapes.size > MAX_REPORTED) return;
  reportedShapes.add(shape);
  engine.settings.warn(message);
}

/** The filter without its values. */
function shapeOf(node: Filter['node']): string {
  switch (node.kind) {
    case 'leaf':
      return `${node.path} ${node.op}`;
    case 'not':
      return `not(${shapeOf(node.child)})`;
    case 'elemMatch':
      return `${node.path}[${shapeOf(node.child)}]`;
    case 'expr':
      return 'expr';
    default:
      return `${node.kind}(${node.children.map(shapeOf).join(', ')})`;
  }
}

/** A filter argument, which must be a document. */
export function filterOf(value: unknown, name: string): Document {
  if (value === undefined || value === null) return {};
  if (isDocument(value)) return value;
  throw new CommandError(14, `BSON field '${name}' is the wrong type, expected type 'object'`);
}
