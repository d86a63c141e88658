import type { StreamUrl } from '../../store/records/media.ts';

/** What stands where there is no address, or none for the viewer: the documented fields, empty. */
export const NO_URL: StreamUrl = { url: '', components: { origin: '', appName: '', streamName: '', query: '' } };

/** An address with its parts, as clients read it. */
export function streamUrl(url: string): StreamUrl {
  const { protocol, host, pathname, search } = new URL(url);
  const [appName = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const components = { origin: `${protocol}//${host}`, appName, streamName: rest.at(-1) ?? '', query: search.slice(1) };
  return { url, components };
}
