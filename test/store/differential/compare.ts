import { DATE_OUT_OF_RANGE } from './answer.ts';
import type { Script } from './script.ts';

/** The first step with different replies from two servers. */
export interface Difference {
  step: number;
  is: string;
  was: string;
}

type Answers = readonly (string | undefined | null)[];

/** `is` are the replies of the embedded store, `was` those of MongoDB. */
export function findDifference({ steps }: Script, is: Answers, was: Answers): Difference | undefined {
  for (const [step, { refuses }] of steps.entries()) {
    const expected = refuses ? 'refused' : was[step];
    if (step >= was.length && step >= is.length) return undefined;
    if (is[step] === DATE_OUT_OF_RANGE) return undefined;
    if ((is[step] ?? undefined) !== (expected ?? undefined)) {
      return { step, is: is[step] ?? 'nothing', was: expected ?? 'nothing' };
    }
  }
  return undefined;
}

const codeOf = (answer: string): string => {
  const codes = [...answer.matchAll(/"code":(\{"\$numberInt":"(\d+)"\}|\d+)/g)].map(([, plain, code]) => code ?? plain);
  return codes.length > 0 ? codes.join('+') : 'ok';
};

/** The kind of a difference: one fault causes differences in many scripts. */
export function kindOf({ steps }: Script, { step, is, was }: Difference): string {
  const command = Object.keys(steps[step]!.command)[0];
  return `${command}: ${codeOf(is)} instead of ${codeOf(was)}`;
}
