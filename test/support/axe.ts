import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: Array<{ target: string[] }>;
}

interface Finding {
  id: string;
  targets: string[];
}

/** Findings of axe that hinder users: serious and critical ones. */
export async function findings(page: Page): Promise<Finding[]> {
  // Evaluated by the debugger: the policy of the page forbids script elements.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }));
  });
}
