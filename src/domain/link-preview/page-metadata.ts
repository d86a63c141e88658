import { copyText } from '../../lib/copy-text.ts';

/** Metadata that a page declares: Open Graph properties (https://ogp.me), or else its title and description. */
export interface PageMetadata {
  title: string | null;
  description: string | null;
  /** Absolute http or https URLs. */
  image: string | null;
  video: string | null;
}

const MAX_TEXT = 1_000;
const MAX_URL = 2_000;
/** A tag of at most 4,000 characters. It ends at the next bracket, so that tags which never end are not searched again. */
const META_TAG = /<meta(?=[\s/])([^<>]{0,4000})>/gi;
/**
 * A name is matched from its beginning only, and a quoted value may end with the tag: long names and quotes that are never
 * closed would otherwise be searched from each position.
 */
const ATTRIBUTE = /(?<![\w:-])([\w:-]{1,40})\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'>]+))/g;
const TITLE = /<title[^>]{0,200}>([^<]{0,4000})<\/title/i;

/** Reads the metadata of the beginning of a page, without a reference to it. Relative URLs are resolved with `base`. */
export function pageMetadata(html: string, base: URL): PageMetadata {
  const properties = new Map<string, string>();
  for (const [, attributes] of html.matchAll(META_TAG)) {
    const { property, name = property, content } = attributesOf(attributes!);
    const key = (property ?? name)?.toLowerCase();
    if (key && content && !properties.has(key)) properties.set(key, content);
  }
  const first = (...names: string[]) => names.map((name) => properties.get(name)).find((value) => value !== undefined);
  return {
    title: toText(first('og:title', 'twitter:title') ?? decodeEntities(TITLE.exec(html)?.[1] ?? '')),
    description: toText(first('og:description', 'twitter:description', 'description')),
    image: toUrl(first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'), base),
    video: toUrl(first('og:video:secure_url', 'og:video', 'og:video:url'), base),
  };
}

function attributesOf(text: string): { property?: string; name?: string; content?: string } {
  const found = [...text.matchAll(ATTRIBUTE)].map(([, name, double, single, bare]) => [
    name!.toLowerCase(),
    decodeEntities(double ?? single ?? bare ?? ''),
  ]);
  return Object.fromEntries(found);
}

function toText(value: string | undefined): string | null {
  const text = value?.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT).toWellFormed();
  return text ? copyText(text) : null;
}

function toUrl(value: string | undefined, base: URL): string | null {
  if (!value || value.length > MAX_URL || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Decodes numeric entities and those of XML; others, which are rare in UTF-8 pages, stay as they are. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (entity, hex, decimal, name) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? entity;
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity;
  });
}
