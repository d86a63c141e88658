import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** What happens. */
  children: ReactNode;
  /** Text of the button that confirms. */
  label: string;
  isDanger?: boolean | undefined;
  isRunning: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, label, isDanger, isRunning, onConfirm, onClose } = props;
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      className="dialog"
      backdrop={<div className="backdrop" />}
      preventBodyScroll={false}
      unmountOnHide
    >
      <DialogHeading>{title}</DialogHeading>
      <div>{children}</div>
      <div className="actions">
        <DialogDismiss className="button">Cancel</DialogDismiss>
        <Button look={isDanger ? 'danger' : 'primary'} disabled={isRunning} onClick={onConfirm}>
          {label}
        </Button>
      </div>
    </Dialog>
  );
}
