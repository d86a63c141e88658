import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';

/** The gateway. With `SEARCH_INDEX=off` new posts are not searchable: what remains is the cost of a write without the index. */
const gateway = await start(readConfig(process.env));
await gateway.prepared;
if (process.env.SEARCH_INDEX === 'off') {
  const { searchEntries } = gateway.services.store.collections;
  searchEntries.insertOne = async ({ _id }) => ({ acknowledged: true, insertedId: _id! });
}
