import { readFile } from 'node:fs/promises';
import express from 'express';
import { ParseServer } from 'parse-server';

/**
 * Parse Server with its REST interface. Classes are public, so it checks no session. Runs in the folder into which its
 * packages are installed.
 */
const url = `http://127.0.0.1:${process.env.PORT}/parse`;
const server = new ParseServer({
  databaseURI: process.env.STORE_URI,
  appId: 'bench',
  masterKey: 'bench-master',
  serverURL: url,
  allowClientClassCreation: true,
  silent: true,
  logsFolder: process.env.PARSE_SERVER_LOGS_FOLDER,
  // The embedded store has no collations.
  enableCollationCaseComparison: true,
  convertEmailToLowercase: true,
  convertUsernameToLowercase: true,
  databaseOptions: { createIndexUserUsernameCaseInsensitive: false, createIndexUserEmailCaseInsensitive: false },
});
await server.start();
const app = express();
app.use('/parse', server.app);
await new Promise((resolve) => app.listen(Number(process.env.PORT), '127.0.0.1', resolve));

const headers = {
  'x-parse-application-id': 'bench',
  'x-parse-master-key': 'bench-master',
  'content-type': 'application/json',
};
const pointer = (className, objectId) => ({ __type: 'Pointer', className, objectId });

async function create(className, body) {
  const response = await fetch(`${url}/classes/${className}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()).objectId;
}

/** @returns ids of the created records */
async function createAll(className, bodies) {
  const ids = [];
  for (const body of bodies) ids.push(await create(className, body));
  return ids;
}

const { authors, posts } = JSON.parse(await readFile(process.env.SEED_FILE, 'utf8'));
const authorIds = await createAll(
  'Author',
  authors.map((displayName) => ({ displayName })),
);
const byAuthor = ({ author, ...fields }) => ({ ...fields, author: pointer('Author', authorIds[author]) });
const commentIds = await createAll('Comment', posts.flatMap(({ comments }) => comments).map(byAuthor));
let next = 0;
const postIds = await createAll(
  'Post',
  posts.map((post) => byAuthor({ ...post, comments: post.comments.map(() => pointer('Comment', commentIds[next++])) })),
);
process.send({ postIds });
