import type { StreamUrl } from '../../store/records/media.ts';

/** Replaces a URL that is unknown or hidden from the viewer: clients expect the documented fields, empty. */
export const NO_URL: StreamUrl = { url: '', components: { origin: '', appName: '', streamName: '', query: '' } };

/** A URL with the components that clients read. */
export function streamUrl(url: string): StreamUrl {
  const { protocol, host, pathname, search } = new URL(url);
  const [appName = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const components = { origin: `${protocol}//${host}`, appName, streamName: rest.at(-1) ?? '', query: search.slice(1) };
  return { url, components };
}
