import { Text } from 'ink';
import { memo } from 'react';

/** One finished line of the screen, already as wide as it may be; drawn again only when it differs. */
export const Line = memo(function Line({ text }: { text: string }) {
  return <Text wrap="truncate">{text === '' ? ' ' : text}</Text>;
});
