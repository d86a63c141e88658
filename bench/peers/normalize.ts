/** A post as all servers return it, in their different forms. */
interface Normalized {
  title: string;
  text: string;
  author: string;
  comments: Array<{ text: string; author: string }>;
}

interface Named {
  displayName: string;
}

interface Flat {
  title: string;
  text: string;
  author: Named;
  comments: Array<{ text: string; author: Named }>;
}

interface GraphQLAnswer {
  data: {
    post: {
      data: { title: string; text: string };
      author: Named;
      latestComments: Array<{ data: { text: string }; author: Named }>;
    };
  };
}

interface RestAnswer {
  posts: Array<{ postedUserId: string; data: { title: string; text: string } }>;
  comments: Array<{ userId: string; data: { text: string } }>;
  users: Array<Named & { userId: string }>;
}

const fromFlat = ({ title, text, author, comments }: Flat): Normalized => ({
  title,
  text,
  author: author.displayName,
  comments: comments.map((comment) => ({ text: comment.text, author: comment.author.displayName })),
});

/** The part of a response that must be equal, by the name of the server. */
export const normalizers = {
  gateway: ({ data: { post } }: GraphQLAnswer): Normalized => ({
    ...post.data,
    author: post.author.displayName,
    comments: post.latestComments.map(({ data, author }) => ({ text: data.text, author: author.displayName })),
  }),
  'gateway, REST record in full': ({ posts, comments, users }: RestAnswer): Normalized => {
    const names = new Map(users.map(({ userId, displayName }) => [userId, displayName]));
    const { postedUserId, data } = posts[0]!;
    return {
      title: data.title,
      text: data.text,
      author: names.get(postedUserId)!,
      comments: comments.map((comment) => ({ text: comment.data.text, author: names.get(comment.userId)! })),
    };
  },
  Payload: fromFlat,
  'Parse Server': fromFlat,
};
