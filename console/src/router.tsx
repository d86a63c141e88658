import { type AnchorHTMLAttributes, useSyncExternalStore } from 'react';

const BASE = '/admin';

/** Segments of the path below `/admin`, decoded. */
export function usePath(): string[] {
  const path = useSyncExternalStore(listen, () => location.pathname);
  return path.slice(BASE.length).split('/').filter(Boolean).map(decode);
}

/** A path below `/admin` of segments, which are encoded. */
export function pathOf(...segments: string[]): string {
  return [BASE, ...segments.map(encodeURIComponent)].join('/');
}

export function navigate(path: string): void {
  history.pushState(null, '', path);
  window.dispatchEvent(new PopStateEvent('popstate'));
  document.getElementById('main')?.scrollTo(0, 0);
}

/** A link that changes the page without loading it again. */
export function Link({ href = BASE, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
        if (opensElsewhere || event.defaultPrevented) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}

function listen(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  return () => window.removeEventListener('popstate', listener);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
