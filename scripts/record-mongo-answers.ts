/** Runs every probe on a MongoDB 7.0 server (`MONGODB_URI`) and writes its replies to `test/store/fixtures`. */
import { writeFileSync } from 'node:fs';
import { EJSON } from 'bson';
import { MongoClient } from 'mongodb';
import { PROBES } from '../test/store/probes/all.ts';
import { runOnServer } from '../test/store/probes/run-on-server.ts';

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the server to record');

const client = await MongoClient.connect(uri);
try {
  const db = client.db('colloquy_recording');
  for (const [file, probes] of Object.entries(PROBES)) {
    const outcomes = await runOnServer(db, probes);
    if (outcomes.size !== probes.length) throw new Error(`two probes of ${file} have the same name`);
    const lines = [...outcomes].map(
      ([name, outcome]) => `${JSON.stringify(name)}: ${EJSON.stringify(outcome, { relaxed: false })}`,
    );
    writeFileSync(new URL(`../test/store/fixtures/${file}.json`, import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
    console.log(`${file}: ${outcomes.size} answers`);
  }
  await db.dropDatabase();
} finally {
  await client.close();
}
