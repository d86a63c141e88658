import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from './config.ts';
import { startEmbeddedStore } from './embedded/index.ts';
import { createDataFolder } from './process/data-folder.ts';
import { AlreadyFilledError, fillNetwork } from './sample/scale.ts';
import { openStore } from './store/store.ts';

const USAGE = `Fills a network with generated users, communities, posts, comments, reactions and messages.

  npm run seed -- --scale N [--uri mongodb://…] [--data-dir FOLDER] [--network ID]

  --scale     thousands of users, 1 to 1000 (default 1)
  --uri       MongoDB to fill (default MONGODB_URI; without it the embedded store, which must not be in use by a gateway)
  --data-dir  folder of the embedded store (default DATA_DIR, else ./data)
  --network   network to fill (default NETWORK_ID, else default)
`;

try {
  await seed(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof AlreadyFilledError || error instanceof RangeError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}

async function seed(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const { config } = options;
  const { uri, close } = await openDatabase(config);
  try {
    // Long, since no client waits for an answer.
    const store = await openStore({ uri, timeoutMs: 120_000 });
    try {
      const startedAt = Date.now();
      const { collections } = store;
      const network = { collections, networkId: config.NETWORK_ID };
      const written = await fillNetwork({ ...network, scale: options.scale, onProgress: createProgress() });
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      console.log(`${written.toLocaleString('en')} records in network ${config.NETWORK_ID}, ${seconds} s`);
    } finally {
      await store.close();
    }
  } finally {
    await close();
  }
}

function readOptions(args: string[]): { config: Config; scale: number; help: boolean } {
  const { values } = parseOptions(args);
  const config = readConfig({
    ...process.env,
    ...(values.uri && { MONGODB_URI: values.uri }),
    ...(values['data-dir'] && { DATA_DIR: values['data-dir'] }),
    ...(values.network && { NETWORK_ID: values.network }),
  });
  return { config, scale: Number(values.scale), help: values.help };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        scale: { type: 'string', default: '1' },
        uri: { type: 'string' },
        'data-dir': { type: 'string' },
        network: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

async function openDatabase(config: Config): Promise<{ uri: string; close(): Promise<void> }> {
  if (config.MONGODB_URI) return { uri: config.MONGODB_URI, close: async () => undefined };
  const folder = join(config.DATA_DIR, 'store');
  await createDataFolder(config.DATA_DIR, 'store');
  return startEmbeddedStore({ folder });
}

/** Updates one line on a terminal; prints nothing to other outputs, such as logs. */
function createProgress(): (written: number) => void {
  if (!process.stderr.isTTY) return () => undefined;
  return (written) => process.stderr.write(`\r${written.toLocaleString('en')} records `);
}
