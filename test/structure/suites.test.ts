import { expect, test } from 'vitest';
import { FAST, FULL_ONLY, isInSuite, testFiles } from '../support/suites.ts';

const files = testFiles();

test('each test file is in exactly one of the suites fast and full-only', () => {
  const suitesOf = (file: string) => [FAST, FULL_ONLY].filter((suite) => isInSuite(file, suite)).length;
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => suitesOf(file) !== 1)).toEqual([]);
});

test('each path of a suite names a test file or a folder of them, once', () => {
  const paths = [...FAST, ...FULL_ONLY];
  expect(paths.filter((path) => !files.some((file) => file === path || file.startsWith(path)))).toEqual([]);
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

test('the fast suite has a file of each folder', () => {
  const foldersOf = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('/')[0]))].sort();
  expect(foldersOf(files.filter((file) => isInSuite(file, FAST)))).toEqual(foldersOf(files));
});
