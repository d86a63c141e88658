import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql: Vite would take its ES modules, the libraries take its CommonJS ones.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/global-setup.ts'],
    // A real server may be an emulated one.
    testTimeout: process.env.TEST_STORE === 'mongod' ? 240_000 : 30_000,
    hookTimeout: process.env.TEST_STORE === 'mongod' ? 240_000 : 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
