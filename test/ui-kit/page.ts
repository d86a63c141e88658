import type { Browser, Locator, Page } from 'playwright-core';
import type { Gateway } from '../clients/gateway.ts';
import { waitFor } from '../clients/live.ts';
import type { Json, RestUser } from '../clients/rest-user.ts';

/** What exists before the application starts. */
export interface Records {
  /** A community of the second user, with the user as a member. */
  community: Json;
  /** A community of the user, with a post of the second user under review. */
  own: Json;
  /** A community of the second user that the user has not joined. */
  other: Json;
  category: Json;
  channel: Json;
  feed: Json;
}

export interface Walk {
  browser: Browser;
  /** Address of the page with the application. */
  site: string;
  gateway: Gateway;
  /** A user who changes what the screens display. */
  second: RestUser;
  /** Runs a screen; it also fails for a request that the server failed. */
  screen(title: string, run: () => Promise<unknown>): Promise<void>;
  /** Requests to the gateway that failed on a page are reported here. */
  watch(page: Page): void;
}

/** The user of the application. */
export const USER = 'ann';

/** The element with an anchor that the kit gives for tests. */
export const at = (page: Page | Locator, anchor: string) => page.locator(`[data-qa-anchor="${anchor}"]`);

/** Waits until an element with a text is displayed. */
export const shows = (page: Page | Locator, text: string | RegExp) => page.getByText(text).first().waitFor();

/** The post with a text. */
export const postOf = (page: Page, text: string) => at(page, 'post').filter({ hasText: text }).first();

/** Selects an entry of the menu of an element. @param anchor that of the menu */
export async function choose(element: Locator, anchor: string, entry: string): Promise<void> {
  await at(element, anchor).first().click();
  await at(element.page(), `${anchor}-${entry}`).first().click();
}

/** Selects an entry of a list that opens when the user types into it. The kit closes it unless it was clicked before. */
export async function pick(form: Locator, { input, text, entry }: { input: string; text: string; entry: string }) {
  await at(form, input).click();
  await at(form, input).fill(text);
  await at(form, entry).first().click();
}

/** Confirms a dialog. */
export const confirm = (page: Page, name = '') => at(page, `confirm-modal-${name}-ok-button`).click();

export async function open({ browser, site, gateway, watch }: Walk, kind: string, more = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(10_000);
  watch(page);
  // Newer versions of Chromium return a promise, which the kit returns from an effect, where React expects a function.
  await page.addInitScript(() => {
    const { scrollTo } = Element.prototype;
    Element.prototype.scrollTo = function (...values: unknown[]) {
      Reflect.apply(scrollTo, this, values);
    };
  });
  const settings = { gateway: gateway.url, key: gateway.apiKey, user: USER, page: kind, ...more };
  await page.goto(`${site}/?${new URLSearchParams(settings)}`);
  return page;
}

/** Opens a page of the kit by its own navigation. */
export function go(page: Page, method: string, ...values: unknown[]): Promise<void> {
  return page.evaluate(([name, args]) => (globalThis as Json).navigation[name as string](...(args as unknown[])), [
    method,
    values,
  ] as const);
}

/** The published posts of a community. */
export async function postsOf(second: RestUser, { communityId }: Json): Promise<Json[]> {
  const query = { targetType: 'community', targetId: communityId };
  return (await second.call('/api/v4/posts', { query })).posts;
}

export async function idOf(second: RestUser, community: Json, text: string): Promise<string> {
  return (await postsOf(second, community)).find((post) => post.data.text === text).postId;
}

/** Waits until a change of the application reached the gateway. */
export const until = (condition: () => Promise<unknown>) => waitFor(condition, 'The change did not reach the gateway.');
