import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface ConfirmButtonProps {
  /** Text of the button, and of the button that confirms. */
  label: string;
  title: string;
  /** What happens. */
  children: ReactNode;
  success: string;
  isDanger?: boolean | undefined;
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
      <ConfirmDialog
        isOpen={isOpen}
        title={title}
        label={label}
        isDanger={isDanger}
        isRunning={isRunning}
        onConfirm={() => void confirm()}
        onClose={() => setOpen(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
