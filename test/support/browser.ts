import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const COMMON_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** The path of Chromium, which `CHROMIUM` overrides; null when none is installed. */
export const browserPath =
  [process.env.CHROMIUM, ...COMMON_PATHS].find((path) => path !== undefined && existsSync(path)) ?? null;

/** Whether browser tests are skipped: none is installed, and `DEMAND_BROWSER`, which CI sets, does not require one. */
export const mayGoWithout = browserPath === null && !process.env.DEMAND_BROWSER;

/** Starts a browser without a profile and without background requests. @param options further command-line options */
export async function startBrowser(...options: string[]): Promise<Browser> {
  if (browserPath === null) throw new Error('Chromium is not installed: install it, or set CHROMIUM to its path.');
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
      ...options,
    ],
  });
}
