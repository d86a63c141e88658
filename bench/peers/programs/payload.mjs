import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { mongooseAdapter } from '@payloadcms/db-mongodb';
import { buildConfig, getPayload, handleEndpoints } from 'payload';

/**
 * Payload with its REST interface, without Next.js around it. Everybody may read, so it checks no session. Runs in the
 * folder into which its packages are installed.
 */
const access = { read: () => true };
const text = (name) => ({ name, type: 'text' });
const author = { name: 'author', type: 'relationship', relationTo: 'authors' };
const config = await buildConfig({
  secret: 'bench',
  telemetry: false,
  typescript: { autoGenerate: false },
  db: mongooseAdapter({ url: process.env.STORE_URI }),
  collections: [
    { slug: 'users', auth: true, fields: [] },
    { slug: 'authors', access, fields: [text('displayName')] },
    { slug: 'comments', access, fields: [text('text'), author] },
    {
      slug: 'posts',
      access,
      fields: [
        text('title'),
        text('text'),
        author,
        { name: 'comments', type: 'relationship', relationTo: 'comments', hasMany: true },
      ],
    },
  ],
});
const payload = await getPayload({ config });

const { authors, posts } = JSON.parse(await readFile(process.env.SEED_FILE, 'utf8'));
const create = async (collection, data) => (await payload.create({ collection, data })).id;
const authorIds = [];
for (const displayName of authors) authorIds.push(await create('authors', { displayName }));
const postIds = [];
for (const post of posts) {
  const comments = [];
  for (const comment of post.comments)
    comments.push(await create('comments', { text: comment.text, author: authorIds[comment.author] }));
  postIds.push(await create('posts', { ...post, author: authorIds[post.author], comments }));
}

createServer(async ({ url, method, headers }, response) => {
  const request = new Request(`http://127.0.0.1${url}`, { method, headers });
  const answer = await handleEndpoints({ config, request });
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send({ postIds }));
