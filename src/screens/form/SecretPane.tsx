import { Box, Text } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useTheme } from '../../components/theme.ts';
import type { Overlay } from '../../store/navigation.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys, useTextGuard } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { useAppContext } from '../useStores.ts';

interface SecretPaneProps {
  overlay: Extract<Overlay, { kind: 'secret' }>;
  width: number;
  height: number;
}

/** A secret that the API returns once: wrapped whole at any width, to be copied or saved; closing it discards it. */
export function SecretPane({ overlay, width, height }: SecretPaneProps) {
  const { stores, copy } = useAppContext();
  const theme = useTheme();
  const [said, setSaid] = useState<string>();
  const [kept, setKept] = useState(false);
  const [saving, setSaving] = useState(false);
  const { title, values } = overlay;
  const secret = values.at(-1);

  function copied(): void {
    try {
      copy(secret?.text ?? '');
      setKept(true);
      setSaid(`${secret?.name} was sent to the clipboard of the terminal; some terminals ignore that, so check.`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  }

  function left(): void {
    if (kept || said === lastWarning()) stores.navigation.dismiss(overlay);
    else setSaid(lastWarning());
  }

  async function saved(path: string): Promise<void> {
    setSaving(false);
    if (path.trim() === '') return;
    try {
      await stores.files.save(path.trim(), `${values.map(({ name, text }) => `${name}: ${text}`).join('\n')}\n`);
      setKept(true);
      setSaid(`Saved to ${stores.files.resolve(path.trim())}; only you can read it.`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  }

  useKeys('secret', { copy: copied, save: () => setSaving(true), close: left });
  const lines = values.flatMap(({ name, text }) => [
    theme.paint('dim', `  ${name}`),
    ...wrapCells(clean(text, width * height), width - 4).map((line) => `  ${theme.paint('title', line)}`),
  ]);
  const once = 'This is shown now and never again: copy it or save it before you leave.';
  const foot = wrapCells(said ?? once, width - 4).map((line) => theme.paint(kept ? 'good' : 'warn', `  ${line}`));
  const room = height - 2 - foot.length - 1;
  const shown = lines.length > room ? [...lines.slice(0, room - 1), theme.paint('dim', tooLong)] : lines;
  return (
    <Pane title={title} width={width} height={height}>
      {[...shown, '', ...foot].map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {saving ? <PathInput accept={(path) => void saved(path)} close={() => setSaving(false)} width={width} /> : null}
    </Pane>
  );
}

const tooLong = '  … does not fit on the screen; copying or saving takes all of it.';

const lastWarning = () =>
  `It was neither copied nor saved, and nobody can show it again. Press ${keyLabel('secret.close', 'esc')} again to leave anyway.`;

const label = '  save as: ';

function PathInput({ accept, close, width }: { accept: (path: string) => void; close: () => void; width: number }) {
  const theme = useTheme();
  const guard = useTextGuard();
  const [path, setPath] = useState('');
  useKeys(
    'line',
    { accept: () => accept(path), cancel: close, clear: () => setPath('') },
    { typing: true, onPaste: (text) => setPath(path + text.trim()) },
  );
  return (
    <Box height={1}>
      <Text>{theme.paint('accent', cut(label, width))}</Text>
      <TextField
        value={path}
        onChange={guard(setPath)}
        focus
        placeholder="a new file; only you will be able to read it"
        width={width - label.length}
      />
    </Box>
  );
}
