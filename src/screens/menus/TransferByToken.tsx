import { Box } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Overlay } from '../../store/navigation.ts';
import { cut } from '../../text/cells.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { placeOfRow } from '../places.ts';
import { useStores } from '../useStores.ts';

const label = ' Token  ';

interface TransferByTokenProps {
  overlay: Overlay & { kind: 'dialog' };
  width: number;
  height: number;
}

/** Asks for the token of a transfer that was offered, and opens the transfer: what it holds is seen before it is accepted. */
export function TransferByToken({ overlay, width, height }: TransferByTokenProps) {
  const { navigation, notices } = useStores();
  const theme = useTheme();
  const guard = useTextGuard();
  const [text, setText] = useState('');
  const [isJudged, setJudged] = useState(false);
  const token = text.trim();
  const wrong = token === '' ? 'Token is required.' : /\s/.test(token) ? 'Token must be one word.' : undefined;
  const resource = resourceNamed(overlay.resource);
  useKeys(
    'line',
    {
      accept: () => {
        setJudged(true);
        if (wrong) return;
        navigation.dismiss(overlay);
        navigation.go(placeOfRow(resource, { [resource.param]: token }));
        notices.say('plain', 'Look at what it holds before you accept it with a and y.');
      },
      cancel: () => navigation.dismiss(overlay),
      clear: () => setText(''),
    },
    { typing: true, onPaste: (pasted) => setText(text + pasted.trim()) },
  );
  const says = isJudged && wrong ? wrong : 'Whoever made the transfer has it. enter shows what it holds.';
  return (
    <Pane title="Accept a transfer by its token" width={width} height={height}>
      <Box width={width} height={1}>
        <Box width={label.length} flexShrink={0}>
          <Line text={theme.paint('accent', label)} />
        </Box>
        <TextField value={text} onChange={guard(setText)} focus width={width - label.length - 1} />
      </Box>
      <Line text={theme.paint(isJudged && wrong ? 'bad' : 'dim', cut(`  ${says}`, width))} />
    </Pane>
  );
}
