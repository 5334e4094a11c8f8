import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Collection } from '../../store/cache.ts';
import { cut } from '../../text/cells.ts';
import { counted } from '../../text/words.ts';
import { startAction } from '../actions.ts';
import { useKeys } from '../keyboard.tsx';
import { startOf } from '../keys/offered.ts';
import type { CustomProps } from '../props.ts';
import { moveHandlers } from '../useScroll.ts';
import { useCollection, useStores } from '../useStores.ts';
import { headerLines, messageLines } from './ticketLines.ts';

/** A support ticket as a conversation: its subject, then all messages, the newest last. */
export function TicketConversation({ params, row, width, height }: CustomProps) {
  const stores = useStores();
  const theme = useTheme();
  const replies = useCollection({ resource: 'replies', operation: 'list', params });
  const options = { theme, now: stores.now(), width };
  const head = headerLines(options, row);
  const body = Math.max(1, height - head.length - 1);
  const lines = [...messageLines(options, row, replies?.rows ?? []), ...stateLines(replies)];
  const lowest = Math.max(0, lines.length - body);
  // Undefined follows the end, where new messages appear.
  const [top, setTop] = useState<number>();
  const first = Math.min(top ?? lowest, lowest);

  const description = resourceNamed('replies');
  const { create } = description;
  useKeys('conversation', {
    ...moveHandlers(first, lowest + 1, body, (to) => setTop(to >= lowest ? undefined : to)),
    reply: create && startOf(stores, create, () => startAction(stores, description, create, [], params)),
  });
  return (
    <Box flexDirection="column" width={width} height={height}>
      {[...head, theme.paint('dim', positionText(first, lowest, width))].map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {lines.slice(first, first + body).map((line, index) => (
        <Line key={index} text={line} />
      ))}
    </Box>
  );

  function stateLines(collection: Collection | undefined): readonly string[] {
    const { error, loadedAt } = collection ?? {};
    if (error) return [theme.paint('bad', ` ${cut(`${error.message} r tries again.`, width - 2)}`)];
    return loadedAt === undefined ? [theme.paint('dim', ' Reading replies …')] : [];
  }
}

/** The numbers of lines above and below the visible ones. */
function positionText(first: number, lowest: number, width: number): string {
  const parts = [
    first > 0 ? `${counted(first, 'line')} above` : '',
    first < lowest ? `${counted(lowest - first, 'line')} below` : '',
  ];
  return ` ${cut(parts.filter(Boolean).join(', '), width - 2)}`;
}
