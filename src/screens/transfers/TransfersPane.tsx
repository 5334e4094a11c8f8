import { useState } from 'react';
import { useStore } from 'zustand';
import { changeFacts, type PendingChange } from '../../store/changes/pendingChanges.ts';
import type { Transfer } from '../../store/changes/transfers.ts';
import { withJobs } from '../../store/changes/whoDidIt.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';
import { transferFacts } from './transferLines.ts';
import { useStopKey } from './useProgress.ts';

/** All changes and transfers of this session, the newest first. */
export function TransfersPane({ width, height }: Size) {
  const stores = useStores();
  const { navigation, notices } = stores;
  const events = useStore(stores.events, (state) => state.events);
  const changes = useStore(stores.changes, (state) => state.changes).map((change) => withJobs(change, events));
  const transfers = useStore(stores.transfers, (state) => state.transfers);
  const [asked, setAsked] = useState<number>();
  useStopKey();
  const changed = (change: PendingChange) => ({
    startedAt: change.startedAt,
    item: {
      id: `change ${change.id}`,
      label: change.title,
      detail: changeFacts(change),
      run: () =>
        navigation.open(
          change.results.some(({ output }) => output)
            ? { kind: 'output', change: change.id }
            : { kind: 'results', change: change.id, leftOut: [] },
        ),
    } satisfies MenuItem,
  });
  const moved = (transfer: Transfer) => ({
    startedAt: transfer.startedAt,
    item: {
      id: `transfer ${transfer.id}`,
      label: transfer.what,
      detail: transferFacts(transfer),
      run: () => cancel(transfer),
    } satisfies MenuItem,
  });
  function cancel({ id, what, state }: Transfer): void {
    if (state !== 'running') notices.say('plain', `${what} is already over.`);
    else if (asked === id) stores.transfers.cancel(id);
    else {
      setAsked(id);
      notices.say('plain', `${what} is under way; press ${keyLabel('menu.choose', 'enter')} again to cancel it.`);
    }
  }
  // A change that a file goes along with is shown as a transfer.
  const all = [...changes.filter(({ action }) => !action.multipart).map(changed), ...transfers.map(moved)].toReversed();
  return (
    <Menu
      title="Changes and transfers"
      items={all.sort((one, other) => other.startedAt - one.startedAt).map(({ item }) => item)}
      width={width}
      height={height}
      close={() => navigation.close()}
      none="Nothing has been changed or transferred so far."
    />
  );
}
