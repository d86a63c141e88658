import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Locked = {
  packages: Record<string, { version?: string; os?: string[]; optionalDependencies?: Record<string, string> }>;
};

/** `npm install` drops builds for other platforms that its registry lacks; `npm ci` then fails there. */
it('the lock file holds every optional package it names, so npm ci passes on any machine', () => {
  const { packages }: Locked = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`]?.version && !packages[`${path}/node_modules/${name}`]?.version,
    ),
  );
  expect(missing).toEqual([]);
});
