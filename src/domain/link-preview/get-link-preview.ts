import { LRUCache } from 'lru-cache';
import { isReadOnly } from '../../access/visitor.ts';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { copyText } from '../../lib/copy-text.ts';
import { estimateBytes } from '../../lib/estimate-bytes.ts';
import { createKeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { AddressError, type AddressOptions } from '../../webhooks/address-guard.ts';
import { type PageMetadata, pageMetadata } from './page-metadata.ts';
import { checkedPageUrl, readPage } from './page-reader.ts';

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
/** Pages that it reads concurrently for one user, or for all visitors of a network, so that the others do not wait. */
const MAX_PER_VIEWER = 4;

const MAX_BYTES = 2 * 1_048_576;
/** Heap of an entry without its texts. */
const ENTRY_BYTES = 256;

/** Cached by each process. */
const previews = new LRUCache<string, LinkPreview>({
  ttl: CACHED_MS,
  maxSize: MAX_BYTES,
  // A character takes two bytes in a text with one outside Latin-1.
  sizeCalculation: (preview, address) => ENTRY_BYTES + 2 * (address.length + estimateBytes(preview)),
});
const runLimited = createSemaphore(MAX_CONCURRENT);
const runForViewer = createKeyedSemaphore(MAX_PER_VIEWER);
/** Pages that are being read, by address. */
const inProgress = new Map<string, Promise<LinkPreview>>();

/**
 * The title, description and media of a page on the public internet, read by the gateway. Only the host is known of a
 * page that cannot be read.
 *
 * @throws {OperationError} INVALID_PARAMETERS for a URL that is not one of a public host
 */
export async function getLinkPreview(context: Context, { url }: { url: string }): Promise<LinkPreview> {
  const viewer = viewerOf(context);
  const { config, resolveHost } = context;
  const options = { allowPrivate: config.LINK_PREVIEW_ALLOW_PRIVATE, resolve: resolveHost };
  try {
    const address = checkedPageUrl(url, options).href;
    const readOnce = async () => {
      // Requests that have been answered in the meantime must not delay others.
      if (performance.now() > context.deadline) throw new OperationError('UNAVAILABLE');
      return previews.get(address) ?? inProgress.get(address) ?? read(address, options);
    };
    return previews.get(address) ?? (await runForViewer(keyOf(viewer), () => runLimited(readOnce)));
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw new OperationError('INVALID_PARAMETERS', { detail: [`url: ${error.message}`], path: ['url'] });
  }
}

/** One person can create any number of visitors, so the visitors of a network share a key. */
function keyOf(viewer: Viewer): string {
  return `${viewer.networkId} ${isReadOnly(viewer) ? '' : viewer.userId}`;
}

function read(address: string, options: AddressOptions): Promise<LinkPreview> {
  const reading = readAndKeep(address, options).finally(() => inProgress.delete(address));
  inProgress.set(address, reading);
  return reading;
}

async function readAndKeep(address: string, options: AddressOptions): Promise<LinkPreview> {
  const page = await readPage(address, options);
  const domain = copyText((page?.url ?? new URL(address)).hostname);
  const preview = { ...(page ? pageMetadata(page.html, page.url) : NOTHING), domain };
  previews.set(address, preview, { ttl: page ? CACHED_MS : FAILURE_CACHED_MS });
  return preview;
}
