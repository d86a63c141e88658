import type { Config } from '../config.ts';

/** Pages of a development server on this machine, such as `http://localhost:5173`. */
const LOCAL_PAGE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

export interface AllowedOrigins {
  /** `*`, or exact origins and patterns. */
  patterns: '*' | ReadonlyArray<string | RegExp>;
  /** @param origin the value of an `Origin` header */
  includes(origin: string): boolean;
}

type OriginSettings = Pick<Config, 'CORS_ORIGINS' | 'NODE_ENV'>;

/** Origins whose pages may call the API: those of `CORS_ORIGINS`; without any, localhost in development. */
export function allowedOrigins(config: OriginSettings): AllowedOrigins {
  const origins = config.CORS_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  if (origins.includes('*')) return { patterns: '*', includes: () => true };
  if (allowsLocalPages(config)) return { patterns: [LOCAL_PAGE], includes: (origin) => LOCAL_PAGE.test(origin) };
  return { patterns: origins, includes: (origin) => origins.includes(origin) };
}

/** Whether pages of localhost may call the API, on any port. */
export function allowsLocalPages({ CORS_ORIGINS, NODE_ENV }: OriginSettings): boolean {
  return NODE_ENV === 'development' && CORS_ORIGINS.trim() === '';
}

/** Whether a page of this gateway sent a request. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
