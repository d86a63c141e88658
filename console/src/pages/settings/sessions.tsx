import { useState } from 'react';
import { RevokeAllSessionsDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { endSession } from '../../session/session-store.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Card } from '../../ui/page.tsx';

/** Ends the sessions of everybody, for example after a secret has leaked. */
export function Sessions() {
  const [keepsOwn, setKeepsOwn] = useState(true);
  return (
    <Card title="End all sessions">
      <div className="form">
        <p>Signs out all users and visitors of the network, on all devices. Their open connections are closed.</p>
        <label className="actions">
          <input type="checkbox" checked={keepsOwn} onChange={() => setKeepsOwn(!keepsOwn)} />
          Keep this session
        </label>
        <div>
          <ConfirmButton
            label="End all sessions"
            isDanger
            title="Sign everybody out?"
            success="All sessions are ended."
            act={() => execute(RevokeAllSessionsDocument, { input: { keepsOwn } })}
            onDone={() => keepsOwn || endSession('You ended all sessions, including this one.')}
          >
            {keepsOwn ? 'Everybody but you has to sign in again.' : 'Everybody, including you, has to sign in again.'}
          </ConfirmButton>
        </div>
      </div>
    </Card>
  );
}
