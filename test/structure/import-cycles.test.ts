import { expect, test } from 'vitest';
import { type Import, imports } from './import-graph.ts';

/** Groups of files that import each other, directly or through others: the strongly connected components. */
function cyclesAmong(edges: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const open = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    open.add(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      else if (!open.has(target)) continue;
      lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = path.splice(path.indexOf(file));
    for (const member of group) open.delete(member);
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

test('finds files that import each other', () => {
  const edge = (from: string, to: string) => ({ from, to, typeOnly: false });
  expect(cyclesAmong([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd')])).toEqual([['a', 'b', 'c']]);
});

test('imports form no cycles', () => {
  expect(cyclesAmong(imports.filter(({ typeOnly }) => !typeOnly))).toEqual([]);
});

// The type of the embedded store's engine names its parts, whose commands take the engine.
test('type imports form no cycles either, outside the embedded store', () => {
  expect(cyclesAmong(imports.filter(({ from }) => !from.startsWith('src/embedded/')))).toEqual([]);
});
