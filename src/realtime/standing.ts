import type { Viewer } from '../context.ts';
import type { Listener } from './fan-out.ts';

/** Someone whose standing does not change while they listen: the application's own server. */
export function standing(viewer: Viewer): Listener['session'] {
  return { viewer, rights: 'service', settling: null };
}
