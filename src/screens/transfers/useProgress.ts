import { useRef } from 'react';
import { useStore } from 'zustand';
import { isPausable, isStoppable } from '../../store/changes/pendingChanges.ts';
import type { Transfer } from '../../store/changes/transfers.ts';
import { withJobs } from '../../store/changes/whoDidIt.ts';
import { stoppedAt } from '../../store/plans/plans.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { useStores } from '../useStores.ts';

/**
 * The changes and transfers that are sent, each the oldest first, and the run of a plan, of which the changes are steps; how many
 * these are (`sent`), and how many with the changes whose jobs go on (`running`).
 */
export function progressOf(stores: Stores) {
  const { changes: all } = stores.changes.getState();
  const changes = all.filter(({ action, isOver }) => !isOver && !action.multipart);
  const transfers = stores.transfers.getState().transfers.filter(({ state }) => state === 'running');
  const { run } = stores.plans.getState();
  const count = changes.length + transfers.length;
  const { events } = stores.events.getState();
  const jobs = all.filter((one) => one.isOver && withJobs(events)(one) !== one).length;
  const least = run ? 1 : 0;
  return { changes, transfers, run, sent: Math.max(count, least), running: Math.max(count + jobs, least) };
}

/** A number or a word about that; whoever shows it is drawn again when it is another. */
export function useProgress<T extends string | number>(told: (progress: ReturnType<typeof progressOf>) => T): T {
  const stores = useStores();
  const now = () => told(progressOf(stores));
  useStore(stores.changes, now);
  useStore(stores.transfers, now);
  useStore(stores.events, now);
  return useStore(stores.plans, now);
}

/** The ways to stop and to hold what is under way; undefined where nothing can be. */
export function useStopping() {
  const stores = useStores();
  const cancelTransfer = useCancelling('everywhere.stopSending', 'X');
  const ways = useProgress(({ changes, transfers, run }) =>
    [
      run || transfers.length > 0 || changes.some(isStoppable) ? 'stop' : '',
      run || changes.some(isPausable) ? 'pause' : stoppedAt(stores.plans.getState()) ? 'go on' : '',
    ].join(' '),
  );

  function stopSending(): void {
    const { changes, transfers, run } = progressOf(stores);
    const stoppable = changes.filter(isStoppable);
    const [transfer] = transfers;
    if (run === 'stopping')
      stores.notices.say('plain', 'The plan stops already, once the step that was sent is answered.');
    else if (run) stores.plans.stop();
    else if (stoppable.length > 0) for (const { id } of stoppable) stores.changes.stop(id);
    else if (transfer) cancelTransfer(transfer);
  }

  /** Has the plan or the programs begin nothing for now, or go on. */
  function pause(): void {
    const { changes, run } = progressOf(stores);
    const pausable = changes.find(isPausable);
    if (run) stores.plans.pause();
    else if (pausable) stores.changes.pause(pausable.id);
  }

  /** Shows the plan where it stands still. */
  function goOn(): void {
    stores.plans.setState((plans) => ({ cursor: stoppedAt(plans)?.id }));
    stores.navigation.open({ kind: 'plan' });
  }

  return {
    stopSending: ways.startsWith('stop') ? stopSending : undefined,
    pause: ways.endsWith('pause') ? pause : ways.endsWith('go on') ? goOn : undefined,
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
  const { stopSending, pause } = useStopping();
  useKeys('progress', { stopSending: isOn ? stopSending : undefined, pause: isOn ? pause : undefined });
}

/** Shown before the program ends; `of` identifies what is under way. */
export function endWarning({ unsent }: Stores, { changes, transfers }: ReturnType<typeof progressOf>) {
  const [change] = changes;
  const [first] = [...changes.map(({ title }) => title), ...transfers.map(({ what }) => what)];
  const ids = [...changes.map(({ id }) => `change ${id}`), ...transfers.map(({ id }) => `transfer ${id}`)];
  const waiting = changes.flatMap(({ results }) => results.filter(({ state }) => state === 'waiting'));
  const fate = unsent.keeps(waiting.map(({ uid }) => uid)) ? 'go into the plan' : 'are not sent';
  const rest = waiting.length > 0 ? `; the ${counted(waiting.length, 'row')} that wait ${fate}` : '';
  const end = change ? `quits without waiting for the answer${rest}` : 'cancels it and quits';
  const says = `${first} is under way; ${keyLabel('everywhere.quit', 'q')} once more ${end}.`;
  return first === undefined ? undefined : { of: ids.join(), says };
}
