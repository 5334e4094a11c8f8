import { useRef } from 'react';
import { useStore } from 'zustand';
import { countOf, isPausable, isStoppable, type PendingChange } from '../../store/changes/pendingChanges.ts';
import type { Transfer } from '../../store/changes/transfers.ts';
import type { PlansState } from '../../store/plans/plans.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores } from '../useStores.ts';

/** Changes and transfers under way, each the oldest first. */
export type SendProgress = ReturnType<typeof useProgress>;

/** The changes and transfers that are under way, and how to stop them. */
export function useProgress() {
  const stores = useStores();
  const changes = useStore(stores.changes, (state) => state.changes).filter(
    ({ action, isOver }) => !isOver && !action.multipart,
  );
  const transfers = useStore(stores.transfers, (state) => state.transfers).filter(({ state }) => state === 'running');
  const cancelTransfer = useCancelling('everywhere.stopSending', 'X');
  const planRun = useStore(stores.plans, ({ run }) => run);
  // Its line tells of its steps.
  useStore(stores.plans, ({ steps }) => planRun && steps);
  useStore(stores.plans, ({ ends }) => ends);
  const stoppable = changes.filter(isStoppable);
  const pausable = changes.find(isPausable);
  const [transfer] = transfers;

  function stopPlan(run: NonNullable<PlansState['run']>): void {
    if (run !== 'stopping') stores.plans.stop();
    else stores.notices.say('plain', 'The plan stops already, once the step that was sent is answered.');
  }

  return {
    changes,
    transfers,
    /** A plan is being carried out, of which the changes are steps. */
    plan: planRun,
    /** Has the plan or the programs begin nothing for now, or go on; undefined where neither is carried out. */
    pause: planRun ? () => stores.plans.pause() : pausable && (() => stores.changes.pause(pausable.id)),
    count: Math.max(changes.length + transfers.length, planRun ? 1 : 0),
    /** Stops what is under way; undefined where nothing can be stopped. */
    stopSending: planRun
      ? () => stopPlan(planRun)
      : stoppable.length > 0
        ? () => {
            for (const { id } of stoppable) stores.changes.stop(id);
          }
        : transfer && (() => cancelTransfer(transfer)),
    /** Shown before the program ends; `of` identifies what is under way. */
    warning: warningOf(changes, transfers),
  };
}

/** Cancels a transfer that runs, once its key was pressed a second time. */
export function useCancelling(name: string, usual: string): (transfer: Transfer) => void {
  const { transfers, notices } = useStores();
  const asked = useRef<number>(undefined);
  return ({ id, what, state }) => {
    if (state !== 'running') notices.say('plain', `${what} is already over.`);
    else if (asked.current === id) transfers.cancel(id);
    else {
      asked.current = id;
      notices.say('plain', `${what} is under way; press ${keyLabel(name, usual)} again to cancel it.`);
    }
  };
}

/** Stops what is under way by its key, also over a pane, while `isOn`. */
export function useStopKey(isOn = true): void {
  const { stopSending, pause } = useProgress();
  useKeys('progress', { stopSending: isOn ? stopSending : undefined, pause: isOn ? pause : undefined });
}

function warningOf(changes: readonly PendingChange[], transfers: readonly Transfer[]) {
  const [change] = changes;
  const [transfer] = transfers;
  const ids = [...changes.map(({ id }) => `change ${id}`), ...transfers.map(({ id }) => `transfer ${id}`)];
  if (change) {
    const waiting = changes.reduce((sum, one) => sum + countOf(one, 'waiting'), 0);
    const rest = waiting > 0 ? `; the ${counted(waiting, 'row')} that wait are not sent` : '';
    return {
      of: ids.join(),
      says: `${change.title} is under way; ${keyLabel('everywhere.quit', 'q')} once more quits without waiting for the answer${rest}.`,
    };
  }
  return (
    transfer && {
      of: ids.join(),
      says: `${transfer.what} is under way; ${keyLabel('everywhere.quit', 'q')} once more cancels it and quits.`,
    }
  );
}
