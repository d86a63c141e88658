import type { Document } from 'bson';
import { badValue, describe, type Filter, type FilterNode, failedToParse, spendSteps } from '../../lib/index.ts';
import type { CompileContext } from '../compile-context.ts';
import { compileFilter } from './filter.ts';

/** The array filters of one update, by identifier. */
export interface ArrayFilters {
  /** Records that the update uses the identifier. @throws CommandError 2 if no filter defines it */
  use(identifier: string, path: string): void;
  matches(identifier: string, element: unknown): boolean;
  /** @throws CommandError 9 for a filter that no path uses */
  assertAllUsed(update: Document): void;
}

/** Evaluation steps for compiling one array filter. */
const FILTER_STEPS = 200;

/** Parses `arrayFilters`: each constrains one identifier, a lower-case letter followed by letters and digits. */
export function parseArrayFilters(list: readonly Document[], context: CompileContext): ArrayFilters {
  const filters = new Map<string, Filter>();
  const used = new Set<string>();
  for (const document of list) {
    spendSteps(FILTER_STEPS);
    const filter = compileFilter(document, context);
    const identifier = identifierOf(filter.node);
    if (filters.has(identifier)) {
      throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    }
    filters.set(identifier, filter);
  }
  return {
    use(identifier, path) {
      if (!filters.has(identifier))
        throw badValue(`No array filter found for identifier '${identifier}' in path '${path}'`);
      used.add(identifier);
    },
    matches: (identifier, element) => filters.get(identifier)!.matches({ [identifier]: element }),
    assertAllUsed(update) {
      for (const identifier of filters.keys()) {
        if (!used.has(identifier)) {
          throw failedToParse(
            `The array filter for identifier '${identifier}' was not used in the update ${describe(update)}`,
          );
        }
      }
    },
  };
}

function identifierOf(node: FilterNode): string {
  const [first, ...others] = new Set(rootNames(node));
  if (first === undefined)
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  if (others.length > 0) {
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${first}' and '${others[0]}'`,
    );
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(first)) {
    throw badValue(
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${first}'`,
    );
  }
  return first;
}

function rootNames(node: FilterNode): string[] {
  // An empty `$all` matches nothing, whatever the field.
  if (node.kind === 'leaf' && node.op === 'all' && (node.value as unknown[]).length === 0) return [];
  if (node.kind === 'leaf' || node.kind === 'elemMatch') return [node.path.split('.')[0]!];
  if (node.kind === 'not') return rootNames(node.child);
  return 'children' in node ? node.children.flatMap(rootNames) : [];
}
