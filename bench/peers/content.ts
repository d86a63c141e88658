import { openStore } from '../../src/store/store.ts';
import { NETWORK_ID, postId } from '../data.ts';

/** The records that each peer creates; authors are positions in the list of names. */
export interface Content {
  authors: string[];
  posts: Array<{ title: string; text: string; author: number; comments: Array<{ text: string; author: number }> }>;
}

/** Reads the first posts of the bench with their newest ten comments. */
export async function readContent(uri: string, count: number): Promise<Content> {
  const store = await openStore({ uri });
  try {
    const { users, posts, comments } = store.collections;
    const networkId = NETWORK_ID;
    const authors: string[] = [];
    const places = new Map<string, number>();
    const placeOf = async (userId: string) => {
      const known = places.get(userId);
      if (known !== undefined) return known;
      const user = await users.findOne({ networkId, userId });
      places.set(userId, authors.length);
      return authors.push(user!.displayName) - 1;
    };
    const content: Content = { authors, posts: [] };
    for (let index = 0; index < count; index += 1) {
      const post = (await posts.findOne({ networkId, postId: postId(index) }))!;
      const entry: Content['posts'][number] = {
        title: post.data.title!,
        text: post.data.text!,
        author: await placeOf(post.postedUserId),
        comments: [],
      };
      for (const commentId of post.comments) {
        const comment = (await comments.findOne({ networkId, commentId }))!;
        entry.comments.push({ text: (comment.data as { text: string }).text, author: await placeOf(comment.userId) });
      }
      content.posts.push(entry);
    }
    return content;
  } finally {
    await store.close();
  }
}
