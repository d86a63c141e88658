import type { Page } from 'playwright-core';

export interface QueueMeasurement {
  /** Milliseconds from the navigation until items are shown. */
  shownMs: number;
  /** Milliseconds from the navigation until a key has moved to the next item. */
  interactiveMs: number;
  /** Transferred bytes of scripts and styles, compressed. */
  bundleBytes: number;
  /** Elements of the document. */
  nodes: number;
}

/** Loads the page of the moderation queue again without the cache of the browser, and waits until it reacts to a key. */
export async function measureQueue(page: Page): Promise<QueueMeasurement> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  // The session of the console is kept by the tab.
  await page.reload({ waitUntil: 'commit' });
  const current = page.locator('.queue-item[aria-current="true"]');
  await current.waitFor();
  const shownMs = await page.evaluate(() => performance.now());
  const first = await current.getAttribute('aria-posinset');
  // Keys that are pressed before the page listens to them are lost.
  do await page.keyboard.press('j');
  while ((await current.getAttribute('aria-posinset')) === first);
  const rest = await page.evaluate(() => {
    const assets = performance.getEntriesByType('resource').filter(({ name }) => /\/admin\/assets\//.test(name));
    return {
      interactiveMs: performance.now(),
      bundleBytes: assets.reduce((sum, asset) => sum + (asset as PerformanceResourceTiming).encodedBodySize, 0),
      nodes: document.querySelectorAll('*').length,
    };
  });
  await client.detach();
  return { shownMs, ...rest };
}

export function describeMeasurement({ shownMs, interactiveMs, bundleBytes, nodes }: QueueMeasurement): string {
  const kilobytes = (bundleBytes / 1_000).toFixed();
  return `Queue of 10,000 items: shown after ${shownMs.toFixed()} ms, interactive after ${interactiveMs.toFixed()} ms, ${kilobytes} kB of scripts and styles, ${nodes} elements`;
}
