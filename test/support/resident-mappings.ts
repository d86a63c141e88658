import { readFileSync } from 'node:fs';

/**
 * Resident memory of each mapping of a file in a process, in bytes. Only on Linux.
 * @param process its id, or `self`
 */
export function residentMappings(process: number | 'self', path: string): number[] {
  const mappings = readFileSync(`/proc/${process}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return mappings
    .filter((mapping) => mapping.split('\n', 1)[0]!.endsWith(` ${path}`))
    .map((mapping) => 1024 * Number(/^Rss:\s+(\d+)/m.exec(mapping)![1]));
}
