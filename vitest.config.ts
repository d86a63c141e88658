import { DryMongoBinary } from 'mongodb-memory-server';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { FAST, FULL_ONLY, isInSuite, SHARDED, testFiles } from './test/support/suites.ts';

/**
 * `TEST_STORE` restricts the run to one store: `embedded`; `mongod`, which is then required; or `sharded`, a sharded
 * cluster of MongoDB.
 * `TEST_SUITE` restricts it to one list of `test/support/suites.ts`: `fast` or `full-only`.
 */
const { TEST_STORE, TEST_SUITE, MONGODB_URI } = process.env;

/** Tests of what only a sharded cluster does. */
const ONLY_SHARDED = 'test/*/sharded-*.test.ts';

const SUITES: Record<string, readonly string[]> = { fast: FAST, 'full-only': FULL_ONLY };

/** Whether `MONGODB_URI` names a server or a binary is installed. Nothing is downloaded without `TEST_STORE=mongod`. */
async function isMongodAvailable(): Promise<boolean> {
  if (MONGODB_URI) return true;
  const options = await DryMongoBinary.generateOptions();
  return (await DryMongoBinary.locateBinary(options)) !== undefined;
}

const embedded: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'embedded',
    globalSetup: ['test/support/program-folders.ts', 'test/support/temporary-folder.ts'],
    setupFiles: ['test/support/on-embedded.ts'],
    // These restart a MongoDB server of their own, or need a sharded cluster.
    exclude: ['test/failure/mongod*', ONLY_SHARDED],
    // Most tests take milliseconds; a machine may be busy with other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

const mongod: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'mongod',
    globalSetup: ['test/support/program-folders.ts', 'test/support/start-mongod.ts'],
    setupFiles: ['test/support/on-mongod.ts'],
    // These test the embedded store itself, or use no store: rules, input, pages, execution. Of `cache`: the history, the
    // cluster time in the driver, and whether the history check finds wrong caches, which does not depend on the database.
    exclude: [
      'test/{budget,docs,events,graphql,matrix,property,sample}/**',
      'test/cache/{cluster-time,history,mutations}*',
      'test/realtime/{asyncapi,attacks,connections,long-poll,socket-codes,streams}*',
      'test/webhooks/{address-guard,crash,isolation,schedule,secrets,send,signature}*',
      'test/security/hostile-input*',
      'test/conformance/{every-route,keyed-calls}*',
      'test/deploy/**',
      'test/workers/signals*',
      'test/store/{engine,language}*',
      'test/store-cli/{engine,erased-keys}*',
      'test/recovery/**',
      'test/structure/**',
      'test/failure/{blocked-loop,embedded,many-sockets,slow-}*',
      'test/security/{browser-origins,connections-per-address,malformed,upgrades,welcome}*',
      ONLY_SHARDED,
    ],
    // The server may run in an emulator.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
};

/** Only with `TEST_STORE=sharded`: `npm run test:sharded`. */
const sharded: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'sharded',
    globalSetup: ['test/support/program-folders.ts', 'test/support/start-sharded-cluster.ts'],
    setupFiles: ['test/support/on-sharded.ts'],
    // The servers may run in an emulator, and every gateway shards a database.
    testTimeout: 600_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
  },
};

async function projects(): Promise<TestProjectConfiguration[]> {
  if (TEST_STORE === 'embedded') return [embedded];
  if (TEST_STORE === 'mongod') return [mongod];
  if (TEST_STORE === 'sharded') return [sharded];
  return (await isMongodAvailable()) ? [embedded, mongod] : [embedded];
}

function include(): string[] {
  // Here, because a project adds its own patterns to these.
  if (TEST_STORE === 'sharded') return SHARDED.map((path) => `test/${path}`);
  if (!TEST_SUITE) return ['test/**/*.test.ts'];
  const suite = SUITES[TEST_SUITE];
  if (!suite) throw new Error(`TEST_SUITE is ${TEST_SUITE}, must be one of ${Object.keys(SUITES).join(', ')}`);
  return testFiles().flatMap((file) => (isInSuite(file, suite) ? [`test/${file}`] : []));
}

export default defineConfig(async () => ({
  // One copy of graphql: Vite would take its ES modules, the libraries take its CommonJS ones.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: include(),
    environment: 'node',
    // Generous for a busy machine: a poll ends as soon as its assertion holds.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // `VITEST_MAX_WORKERS` replaces it; the option `--maxWorkers` does not apply to projects.
    maxWorkers: 2,
    // Loading a thousand modules takes longer than most files take to run. The files of a worker share modules, an
    // embedded store and a gateway; each has a network or a database of its own.
    isolate: false,
    projects: await projects(),
    coverage: {
      include: ['src/**/*.ts', 'schema/**/*.ts', 'rest-compat/**/*.ts'],
      // The engine runs in a thread of its own and the commands in processes of their own: neither is measured.
      exclude: ['src/embedded/**', 'src/store-cli/**', 'rest-compat/generated/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
      reportOnFailure: true,
      thresholds: Object.fromEntries(
        ['src/access', 'src/webhooks', 'rest-compat', 'src/domain'].map((folder) => [`${folder}/**`, { lines: 95 }]),
      ),
    },
  },
}));
