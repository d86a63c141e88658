import { LRUCache } from 'lru-cache';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { AddressError, type AddressOptions, checkedUrl } from '../../webhooks/address-guard.ts';
import { type PageMetadata, pageMetadata } from './page-metadata.ts';
import { readPage } from './page-reader.ts';

export interface LinkPreview extends PageMetadata {
  /** The host of the page, after redirects. */
  domain: string;
}

const NOTHING: PageMetadata = { title: null, description: null, image: null, video: null };

const CACHED_MS = 600_000;
/** Pages that could not be read are tried again sooner. */
const FAILURE_CACHED_MS = 30_000;
/** Pages that one process reads concurrently. */
const MAX_CONCURRENT = 16;

/** Kept per process; an entry is at most a few KiB. */
const previews = new LRUCache<string, LinkPreview>({ max: 500, ttl: CACHED_MS });
const runLimited = createSemaphore(MAX_CONCURRENT);

/**
 * The title, description and media of a page on the public internet, read by the gateway. Only the host is known of a
 * page that cannot be read.
 *
 * @throws {OperationError} INVALID_PARAMETERS for a URL that is not one of a public host
 */
export async function getLinkPreview(context: Context, { url }: { url: string }): Promise<LinkPreview> {
  viewerOf(context);
  const { config, resolveHost } = context;
  const options = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, resolve: resolveHost };
  try {
    const address = checkedUrl(url, options).href;
    return previews.get(address) ?? (await runLimited(() => read(address, options)));
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new OperationError('INVALID_PARAMETERS', { detail: [`url: ${error.message}`], path: ['url'] });
  }
}

async function read(address: string, options: AddressOptions): Promise<LinkPreview> {
  // Another request may have read it while this one waited.
  const known = previews.get(address);
  if (known) return known;
  const page = await readPage(address, options);
  const domain = (page?.url ?? new URL(address)).hostname;
  const preview = { ...(page ? pageMetadata(page.html, page.url) : NOTHING), domain };
  previews.set(address, preview, { ttl: page ? CACHED_MS : FAILURE_CACHED_MS });
  return preview;
}
