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

/** Asks for the token of an offered transfer and opens it, so that its content is seen before it is accepted. */
export function TransferByToken({ overlay, width, height }: TransferByTokenProps) {
  const { navigation, notices } = useStores();
  const theme = useTheme();
  const guard = useTextGuard();
  const [text, setText] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const token = text.trim();
  const wrong = token === '' ? 'Token is required.' : /\s/.test(token) ? 'Token must be one word.' : undefined;
  const resource = resourceNamed(overlay.resource);
  useKeys(
    'line',
    {
      accept: () => {
        setSubmitted(true);
        if (wrong) return;
        navigation.dismiss(overlay);
        navigation.go(placeOfRow(resource, { [resource.param]: token }));
        notices.say('plain', 'Check what it contains before you accept it with a and y.');
      },
      cancel: () => navigation.dismiss(overlay),
      clear: () => setText(''),
    },
    { typing: true, onPaste: (pasted) => setText(text + pasted.trim()) },
  );
  const says = isSubmitted && wrong ? wrong : 'The sender of the transfer has it. enter shows what it contains.';
  return (
    <Pane title="Accept a transfer by its token" width={width} height={height}>
      <Box width={width} height={1}>
        <Box width={label.length} flexShrink={0}>
          <Line text={theme.paint('accent', label)} />
        </Box>
        <TextField value={text} onChange={guard(setText)} focus width={width - label.length - 1} />
      </Box>
      <Line text={theme.paint(isSubmitted && wrong ? 'bad' : 'dim', cut(`  ${says}`, width))} />
    </Pane>
  );
}
