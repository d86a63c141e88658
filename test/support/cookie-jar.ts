/** The cookies of one browser for one host: names, paths and removal (RFC 6265, section 5). */
export interface CookieJar {
  /** Stores the cookies of an answer. @returns its `Set-Cookie` headers */
  receive(headers: Headers): string[];
  /** The `Cookie` header for a path; empty without cookies. */
  header(path: string): string;
  /** The value of a cookie. */
  get(name: string): string | undefined;
  set(name: string, value: string, path?: string): void;
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, { value: string; path: string }>();
  return {
    receive(headers) {
      const received = headers.getSetCookie();
      for (const line of received) {
        const [pair, ...attributes] = line.split(/; */);
        const name = pair!.slice(0, pair!.indexOf('='));
        const attributeOf = (attribute: string) =>
          attributes.find((one) => one.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1);
        const isRemoved = attributeOf('max-age') === '0' || Date.parse(attributeOf('expires') ?? '') <= Date.now();
        if (isRemoved) cookies.delete(name);
        else cookies.set(name, { value: pair!.slice(name.length + 1), path: attributeOf('path') ?? '/' });
      }
      return received;
    },
    header: (path) =>
      [...cookies]
        .filter(([, cookie]) => path.startsWith(cookie.path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
    get: (name) => cookies.get(name)?.value,
    set: (name, value, path = '/') => void cookies.set(name, { value, path }),
  };
}
