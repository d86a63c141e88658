import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Image {
  /** In place of `/app`. */
  folder: string;
  env: Record<string, string>;
  command: string[];
  healthCheck: string[];
}

/**
 * Assembles what the Dockerfile puts into `/app`, without a container engine.
 * @param checkout a clone of the release, built, with its production dependencies
 * @param folder a new folder
 */
export function assembleImage(checkout: string, folder: string): Image {
  mkdirSync(folder, { recursive: true });
  const stages = readFileSync(join(checkout, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split(/^FROM .*\n/m);
  const [dependencies, last] = stages.slice(-2) as [string, string];
  // Links take no time and no space, and removing one leaves the checkout as it is.
  const link = (from: string, to: string) => execFileSync('cp', ['-al', join(checkout, from), join(folder, to)]);
  for (const [, from, to] of last.matchAll(/^COPY --from=\w+ \/app\/(\S+) (\S+)$/gm)) link(from!, to!);
  const [, removals] = /^RUN npm ci .*? && (.+)$/m.exec(dependencies)!;
  execFileSync('sh', ['-ec', removals!], { cwd: folder });
  for (const [, words] of last.matchAll(/^COPY (?!--)(.+)$/gm)) {
    const names = words!.split(' ');
    const target = names.pop()!;
    mkdirSync(join(folder, target, '..'), { recursive: true });
    for (const name of names) link(name, target === './' ? name : target);
  }
  const listed = (pattern: RegExp) => JSON.parse(pattern.exec(last)![1]!) as string[];
  const settings = /^ENV (.+)$/m.exec(last)![1]!.split(' ');
  return {
    folder,
    env: Object.fromEntries(settings.map((setting) => setting.split('=') as [string, string])),
    command: listed(/^CMD (.+)$/m),
    healthCheck: listed(/^HEALTHCHECK .*?CMD (.+)$/m),
  };
}

/** Size in bytes: of the files, and compressed as a layer is sent. */
export function sizeOf({ folder }: Image): { unpacked: number; compressed: number } {
  const bytes = (command: string) => Number(execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' }));
  return { unpacked: bytes('du -s --apparent-size -B1 . | cut -f1'), compressed: bytes('tar c . | gzip -6 | wc -c') };
}
