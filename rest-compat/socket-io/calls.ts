import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';

/** Events with which published clients of version 6.9 request what later ones read over HTTP, and the route of each. */
const PATHS: { readonly [event: string]: string } = {
  'v3/post.isflagbyme': '/api/v3/posts/:postId/isflagbyme',
  'v3/comment.isflagbyme': '/api/v3/comments/:commentId/isflagbyme',
  'user.isFlagByMe': '/api/v3/users/:userId/isflagbyme',
};

/** The routes that answer calls over socket.io, by event. */
export const CALLS: ReadonlyMap<string, Route> = new Map(
  Object.entries(PATHS).map(([event, path]) => [event, routeAt(path)]),
);

function routeAt(path: string): Route {
  const route = ROUTES.find((one) => one.method === 'GET' && one.path === path);
  if (!route) throw new Error(`No route ${path}.`);
  return route;
}
