import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Where a Chromium is; null when there is none here. `CHROMIUM` names another one. */
export const browserPath =
  [process.env.CHROMIUM, ...USUAL].find((path) => path !== undefined && existsSync(path)) ?? null;

/** Whether a test may go without a browser: on a developer's machine it may, where everything is checked it may not. */
export const mayGoWithout = browserPath === null && !process.env.DEMAND_BROWSER;

/** A browser without a profile, that asks nobody for anything by itself. */
export async function startBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('There is no Chromium: install one, or name it by CHROMIUM.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
