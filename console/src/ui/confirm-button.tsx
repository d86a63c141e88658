import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { Button } from './button.tsx';

interface ConfirmButtonProps {
  /** Text of the button, and of the button that confirms. */
  label: string;
  title: string;
  /** What happens. */
  children: ReactNode;
  success: string;
  isDanger?: boolean;
  isSmall?: boolean;
  act(): Promise<unknown>;
  onDone?(): void;
}

/** A button whose action is confirmed in a dialog. */
export function ConfirmButton({ label, title, children, success, isDanger, isSmall, act, onDone }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { isRunning, run } = useAction();
  async function confirm(): Promise<void> {
    if (!(await run(act, success))) return;
    setOpen(false);
    onDone?.();
  }
  return (
    <>
      <Button look={isDanger ? 'danger' : 'plain'} className={isSmall ? 'small' : ''} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        className="dialog"
        backdrop={<div className="backdrop" />}
        preventBodyScroll={false}
        unmountOnHide
      >
        <DialogHeading>{title}</DialogHeading>
        <div>{children}</div>
        <div className="actions">
          <DialogDismiss className="button">Cancel</DialogDismiss>
          <Button look={isDanger ? 'danger' : 'primary'} disabled={isRunning} onClick={() => void confirm()}>
            {label}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
