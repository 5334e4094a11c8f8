import { useState } from 'react';
import { saidLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Page } from '../page/Page.tsx';
import { Prompt } from '../page/Prompt.tsx';
import { type OverlayProps, useAppContext } from '../useStores.ts';

/** A secret that the API returns once: wrapped whole at any width, to be copied or saved; closing it discards it. */
export function SecretPane({ overlay, width, height }: OverlayProps<'secret'>) {
  const { stores, copy } = useAppContext();
  const theme = useTheme();
  const [said, setSaid] = useState<string>();
  const [kept, setKept] = useState(false);
  /** The path that is typed. */
  const [path, setPath] = useState<string>();
  const { title, values } = overlay;
  const secret = values.at(-1);

  function copied(): void {
    attempt(() => {
      copy(secret?.text ?? '');
      setKept(true);
      setSaid(`${secret?.name} was sent to the clipboard of the terminal; some terminals ignore that, so check.`);
    }, setSaid);
  }

  function left(): void {
    if (kept || said === lastWarning()) stores.navigation.dismiss(overlay);
    else setSaid(lastWarning());
  }

  async function saved(typed: string): Promise<void> {
    setPath(undefined);
    if (typed === '') return;
    try {
      await stores.files.save(typed, `${values.map(({ name, text }) => `${name}: ${text}`).join('\n')}\n`);
      setKept(true);
      setSaid(`Saved to ${stores.files.resolve(typed)}; only you can read it.`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  }

  const lines = values.flatMap(({ name, text }) => [
    theme.paint('dim', `  ${name}`),
    ...wrapCells(clean(text, width * height), width - 4).map((line) => `  ${theme.paint('title', line)}`),
  ]);
  const once = 'This is shown now and never again: copy it or save it before you leave.';
  const foot = saidLines(theme, said ?? once, width - 4, kept ? 'good' : 'warn', 2);
  const prompt = path !== undefined && (
    <Prompt
      key="path"
      label="  save as: "
      value={path}
      change={setPath}
      placeholder="a new file; only you will be able to read it"
      width={width}
      accept={() => void saved(path.trim())}
      cancel={() => setPath(undefined)}
    />
  );
  return (
    <Page
      layer="secret"
      title={title}
      lines={lines}
      foot={['', ...foot, ...(prompt ? [prompt] : [])]}
      keys={{ copy: copied, save: () => setPath(''), close: left }}
      width={width}
      height={height}
    />
  );
}

const lastWarning = () =>
  `It was neither copied nor saved, and nobody can show it again. Press ${keyLabel('secret.close', 'esc')} again to leave anyway.`;
