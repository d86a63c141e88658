import { expect, test } from 'vitest';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import { createReadBudget } from '../../src/limits/read-budget.ts';

test('limits an event to fewer bytes and free-form members than a request', () => {
  const { readBytes, eventReadBytes, freeFormMembers, eventFreeFormMembers } = OPERATION_LIMITS;
  expect(eventReadBytes).toBeLessThan(readBytes);
  expect(eventFreeFormMembers).toBeLessThan(freeFormMembers);
  const request = createReadBudget();
  const event = createReadBudget('event');
  expect(() => request.charge(eventReadBytes + 1)).not.toThrow();
  expect(() => event.charge(eventReadBytes)).not.toThrow();
  expect(() => event.charge(1)).toThrow('Limit exceeded (eventReadBytes)');
  expect(() => request.chargeMembers(eventFreeFormMembers + 1)).not.toThrow();
  expect(() => event.chargeMembers(eventFreeFormMembers + 1)).toThrow('Limit exceeded (eventFreeFormMembers)');
});
