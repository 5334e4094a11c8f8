import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { cut } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Pane } from '../page/Pane.tsx';
import { Prompt } from '../page/Prompt.tsx';
import { placeOfRow } from '../places.ts';
import { type DialogProps, useStores } from '../useStores.ts';

/** Asks for the token of an offered transfer and opens it, so that its content is seen before it is accepted. */
export function TransferByToken({ overlay, width, height }: DialogProps) {
  const { navigation, notices } = useStores();
  const theme = useTheme();
  const [text, setText] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const token = text.trim();
  const wrong = token === '' ? 'Token is required.' : /\s/.test(token) ? 'Token must be one word.' : undefined;
  const resource = resourceNamed(overlay.resource);
  const accept = () => {
    setSubmitted(true);
    if (wrong) return;
    navigation.dismiss(overlay);
    navigation.go(placeOfRow(resource, { [resource.param]: token }));
    notices.say('plain', `Check what it contains before you accept it with ${keyLabel('detail.actions', 'a')} and Y.`);
  };
  const says =
    isSubmitted && wrong
      ? wrong
      : `The sender of the transfer has it. ${keyLabel('line.accept', 'enter')} shows what it contains.`;
  return (
    <Pane title="Accept a transfer by its token" width={width} height={height}>
      <Prompt
        label=" Token  "
        value={text}
        change={setText}
        width={width}
        accept={accept}
        cancel={() => navigation.dismiss(overlay)}
      />
      <Line text={theme.paint(isSubmitted && wrong ? 'bad' : 'dim', cut(`  ${says}`, width))} />
    </Pane>
  );
}
