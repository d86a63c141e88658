import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { DECISIONS } from './decisions.ts';

const KEYS: ReadonlyArray<readonly [key: string, meaning: string]> = [
  ['j', 'Go to the next item'],
  ['k', 'Go to the previous item'],
  ['s', 'Select the current item, or not'],
  ...DECISIONS.map(({ key, label, isDanger }) => [key, `${label}${isDanger ? ', after a confirmation' : ''}`] as const),
  ['?', 'Show these keys'],
];

/** The keys of the queue. */
export function KeyList({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      className="dialog"
      backdrop={<div className="backdrop" />}
      preventBodyScroll={false}
      unmountOnHide
    >
      <DialogHeading>Keys</DialogHeading>
      <p className="muted">The keys act on the selected items, or on the current one if none is selected.</p>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key} className="actions">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <DialogDismiss className="button">Close</DialogDismiss>
      </div>
    </Dialog>
  );
}
