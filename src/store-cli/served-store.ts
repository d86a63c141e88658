import { uriOf } from '../embedded/index.ts';
import { socketOf } from '../embedded/maintenance/index.ts';

/** The connection string of the store in a folder, if a process serves it. */
export async function uriOfServedStore(folder: string): Promise<string | undefined> {
  const socket = await socketOf(folder);
  return socket === undefined ? undefined : uriOf(socket);
}
