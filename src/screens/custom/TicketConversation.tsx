import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Collection } from '../../store/cache.ts';
import { cut } from '../../text/cells.ts';
import { startAction } from '../actions.ts';
import { startOf } from '../keys/offered.ts';
import { Page } from '../page/Page.tsx';
import type { CustomProps } from '../props.ts';
import { useCollection, useStores } from '../useStores.ts';
import { headerLines, messageLines } from './ticketLines.ts';

/** A support ticket as a conversation: its subject, then all messages, the newest last. */
export function TicketConversation({ params, row, width, height }: CustomProps) {
  const stores = useStores();
  const theme = useTheme();
  const replies = useCollection({ resource: 'replies', operation: 'list', params });
  const options = { theme, now: stores.now(), width };
  const description = resourceNamed('replies');
  const { create } = description;
  const reply = create && startOf(stores, create, () => startAction(stores, description, create, [], params));
  return (
    <Page
      layer="conversation"
      head={[...headerLines(options, row), '']}
      lines={[...messageLines(options, row, replies?.rows ?? []), ...stateLines(replies)]}
      startsAtEnd
      keys={{ reply }}
      width={width}
      height={height}
    />
  );

  function stateLines(collection: Collection | undefined): readonly string[] {
    const { error, loadedAt } = collection ?? {};
    if (error) return [theme.paint('bad', ` ${cut(`${error.message} r tries again.`, width - 2)}`)];
    return loadedAt === undefined ? [theme.paint('dim', ' Reading replies …')] : [];
  }
}
