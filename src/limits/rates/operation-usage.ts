import type { FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { classOfField, type RateClass } from './rate-classes.ts';

/** How often an operation counts in each class. */
export type Usage = ReadonlyArray<readonly [name: RateClass, count: number]>;

export const READ: Usage = [['read', 1]];
export const UPLOAD: Usage = [['upload', 1]];
export const SIGN_IN: Usage = [['signIn', 1]];
export const DOWNLOAD: Usage = [['download', 1]];
/** A request that names no operation that can be executed. */
export const INVALID: Usage = [['invalid', 1]];

interface Operation {
  operation: OperationDefinitionNode;
  fragments: { readonly [name: string]: FragmentDefinitionNode };
}

const known = new WeakMap<OperationDefinitionNode, Usage>();

/** Each root field of a mutation counts. A query counts once for each class, because its cost is limited. */
export function usageOf(prepared: Operation): Usage {
  let usage = known.get(prepared.operation);
  if (!usage) {
    usage = countFields(prepared);
    known.set(prepared.operation, usage);
  }
  return usage;
}

function countFields({ operation, fragments }: Operation): Usage {
  const kind = operation.operation;
  const counts = new Map<RateClass, number>();
  // Fields of one response name execute once, and a fragment that is spread again adds none: expanding it each time would
  // take 2^N steps for N fragments that spread the next one twice.
  const responseNames = new Set<string>();
  const spread = new Set<string>();
  const visit = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const responseName = selection.alias?.value ?? selection.name.value;
        if (responseNames.has(responseName)) continue;
        responseNames.add(responseName);
        const name = classOfField(kind, selection.name.value);
        counts.set(name, kind === 'mutation' ? (counts.get(name) ?? 0) + 1 : 1);
      } else if (selection.kind === 'InlineFragment') visit(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) visit(fragment.selectionSet);
      }
    }
  };
  visit(operation.selectionSet);
  return [...counts];
}
