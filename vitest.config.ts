import { DryMongoBinary } from 'mongodb-memory-server';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

/** `TEST_STORE` narrows the suite to one store: `embedded`, or `mongod`, which is then demanded. */
const { TEST_STORE, MONGODB_URI } = process.env;

/** A server that is named, or a binary that is here already: nothing is downloaded unasked. */
async function isMongodToBeHad(): Promise<boolean> {
  if (MONGODB_URI) return true;
  const options = await DryMongoBinary.generateOptions();
  return (await DryMongoBinary.locateBinary(options)) !== undefined;
}

const embedded: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'embedded',
    globalSetup: ['test/support/temporary-folder.ts'],
    setupFiles: ['test/support/on-embedded.ts'],
    // What does things to a server of its own that only a real one bears.
    exclude: ['test/failure/mongod*'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

const mongod: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'mongod',
    globalSetup: ['test/support/start-mongod.ts'],
    setupFiles: ['test/support/on-mongod.ts'],
    // What is about the embedded store itself, or about no store: rules, input, pages, execution.
    exclude: [
      'test/{budget,docs,events,graphql,matrix,property,sample}/**',
      'test/realtime/{asyncapi,attacks,connections,long-poll,socket-codes,streams}*',
      'test/webhooks/{address-guard,crash,isolation,schedule,secrets,send,signature}*',
      'test/security/hostile-input*',
      'test/conformance/{every-route,keyed-calls}*',
      'test/workers/signals*',
      'test/store/{engine,language}*',
      'test/store-cli/engine*',
      'test/recovery/**',
      'test/structure/**',
      'test/failure/{blocked-loop,embedded,many-sockets,slow-}*',
      'test/security/{browser-origins,connections-per-address,malformed,upgrades,welcome}*',
    ],
    // A real server may be an emulated one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
};

async function projects(): Promise<TestProjectConfiguration[]> {
  if (TEST_STORE === 'embedded') return [embedded];
  if (TEST_STORE === 'mongod') return [mongod];
  return (await isMongodToBeHad()) ? [embedded, mongod] : [embedded];
}

export default defineConfig(async () => ({
  // One copy of graphql: Vite would take its ES modules, the libraries take its CommonJS ones.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    // Loading a thousand modules takes longer than most files take to run; each opens a gateway and a database of its own.
    isolate: false,
    projects: await projects(),
  },
}));
