import type { CapacityReport } from './measure.ts';

/** Inputs that are no larger than their noise, and predictions outside their tolerance. */
export function faultsOfRuns({ checks, belowNoise }: Pick<CapacityReport, 'checks' | 'belowNoise'>): string[] {
  const ofInputs = belowNoise.map((name) => `The measured cost of ${name} is below the noise.`);
  const ofChecks = checks.flatMap(({ workers, users, model, measured, tolerance }) =>
    (['gatewayUs', 'storeUs'] as const).flatMap((kind) => {
      const ratio = model[kind] / measured[kind];
      if (ratio >= 1 - tolerance && ratio <= 1 + tolerance) return [];
      const requests = users === null ? 'full load' : `the load of ${users.toLocaleString('en')} users`;
      const where = kind === 'gatewayUs' ? 'gateway' : 'store';
      return [
        `WORKERS=${workers}, ${requests}: the model says ${ratio.toFixed(2)} of the measured cost of the ${where}, outside 1 ± ${tolerance}.`,
      ];
    }),
  );
  return [...ofInputs, ...ofChecks];
}
