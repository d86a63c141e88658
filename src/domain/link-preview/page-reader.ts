import http from 'node:http';
import https from 'node:https';
import { AddressError, type AddressOptions, checkedLookup, checkedUrl } from '../../webhooks/address-guard.ts';

/** Time from the first lookup to the last byte, redirects included. */
const TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 3;
/** Bytes of a page that are read: enough for the head of nearly all pages. */
const MAX_BYTES = 262_144;

export interface ReadPage {
  /** The URL after redirects. */
  url: URL;
  html: string;
}

/**
 * The URL of a page, as {@link checkedUrl}. Only the default ports are allowed: any user can name the URL, and the
 * gateway must not be usable as a port scanner.
 *
 * @throws {AddressError}
 */
export function checkedPageUrl(text: string, { allowPrivate }: Pick<AddressOptions, 'allowPrivate'>): URL {
  const url = checkedUrl(text, { allowPrivate });
  if (url.port !== '' && !allowPrivate)
    throw new AddressError('Only the ports 80 of http and 443 of https are supported.');
  return url;
}

/**
 * Reads the beginning of an HTML page. Every host, of redirects too, is checked like that of a webhook; the request has
 * no cookies or credentials.
 *
 * @returns null for anything that is not an HTML page, and for pages that do not answer in time
 * @throws {AddressError} for a URL that is not public or has another port
 */
export async function readPage(text: string, options: AddressOptions): Promise<ReadPage | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = checkedPageUrl(text, options);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    try {
      const answer = await get(url, options, signal);
      if (typeof answer === 'string') return { url, html: answer };
      if (!answer || !URL.canParse(answer.location, url)) return null;
      url = checkedPageUrl(new URL(answer.location, url).href, options);
    } catch (error) {
      if (error instanceof AddressError) throw error;
      return null;
    }
  }
  return null;
}

type Answer = string | { location: string } | null;

function get(url: URL, options: AddressOptions, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.get(url, {
      agent: false,
      lookup: checkedLookup(options),
      signal,
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'user-agent': 'colloquy-link-preview' },
    });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    request.once('error', reject);
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      resolve(null);
    });
    request.once('response', (incoming) => {
      const { statusCode = 0, headers } = incoming;
      const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
      // A compressed page ignores the request for a plain one; a few bytes of it can expand to gigabytes.
      const isPlain = /^(identity)?$/i.test(headers['content-encoding'] ?? '');
      const isHtml = /^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
      if (statusCode !== 200 || !isPlain || !isHtml) {
        incoming.destroy();
        resolve(isRedirect ? { location: headers.location! } : null);
        return;
      }
      readBeginning(incoming).then(resolve, reject);
    });
  });
}

function readBeginning(incoming: http.IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const finish = () => resolve(decode(Buffer.concat(kept), incoming.headers['content-type']));
    incoming.on('data', (chunk: Buffer) => {
      kept.push(chunk.subarray(0, MAX_BYTES - length));
      length += chunk.length;
      if (length < MAX_BYTES) return;
      finish();
      incoming.destroy();
    });
    incoming.once('end', finish);
    incoming.once('error', reject);
  });
}

/** In the encoding of the header, or else of the page's own declaration; UTF-8 by default. */
function decode(bytes: Buffer, contentType = ''): string {
  const declared = /charset=["']?([\w-]{1,40})/i;
  const label = (declared.exec(contentType) ?? declared.exec(bytes.subarray(0, 1_024).toString('latin1')))?.[1];
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
