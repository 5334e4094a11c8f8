import { useState } from 'react';
import { saidLines } from '../../components/spans.ts';
import { marksOf, useTheme } from '../../components/theme.ts';
import { unseenQuestion } from '../../store/changes/submit.ts';
import { cell, clean, cut, widthOf, wrapCells } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { Page } from '../page/Page.tsx';
import { Prompt } from '../page/Prompt.tsx';
import { itemLines } from '../page/usePage.ts';
import { type OverlayProps, useAppContext } from '../useStores.ts';

const none: readonly string[] = [];

/** The ids with this one, or without it where it is among them. */
const toggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];

/**
 * Secrets that the API returns once, to be copied or saved: wrapped whole at any width, each of several once it is asked for.
 * Closing it discards them.
 */
export function SecretPane({ overlay, width, height }: OverlayProps<'secret'>) {
  const { stores, copy } = useAppContext();
  const { navigation, files } = stores;
  const theme = useTheme();
  const { title, resource, next } = overlay;
  const all = overlay.all.map((one, nth) => ({ ...one, id: String(nth) }));
  const isOne = all.length === 1;
  const [said, setSaid] = useState<string>();
  const [kept, setKept] = useState(none);
  const [shown, setShown] = useState(isOne ? ['0'] : none);
  /** Those that were shown, hidden again or not. */
  const [seen, setSeen] = useState(shown);
  const [marks, setMarks] = useState(none);
  const [path, setPath] = useState<string>();
  const unkept = all.filter(({ id }) => !kept.includes(id)).length;

  const keep = (those: readonly { id: string }[]) => setKept([...kept, ...those.map(({ id }) => id)]);

  function copied(current = '0'): void {
    const those = all.filter(({ id }) => (marks.length > 0 ? marks.includes(id) : id === current));
    const texts = those.map(({ label, values }) => {
      const line = [label, ...values.map(({ text }) => text)].map((text) => clean(text, text.length)).join('\t');
      return marks.length > 0 ? line : (values.at(-1)?.text ?? '');
    });
    const [first] = those;
    const name = isOne ? first?.values.at(-1)?.name : `${first?.values.at(-1)?.name} of ${first?.label}`;
    const what = marks.length > 0 ? 'A line of each that is marked' : name;
    attempt(() => {
      copy(texts.join('\n'));
      keep(those);
      setSaid(`${what} was sent to the clipboard of the terminal; some terminals ignore that, so check.`);
    }, setSaid);
  }

  function left(): void {
    const who = isOne ? 'It was' : `${unkept} of ${all.length} were`;
    const again = `Press ${keyLabel('secret.close', 'esc')} again to leave anyway.`;
    const warning = `${who} neither copied nor saved, and nobody can show ${isOne ? 'it' : 'them'} again. ${again}`;
    if (unkept > 0 && said !== warning) {
      setSaid(warning);
      return;
    }
    navigation.dismiss(overlay);
    const taken = new Set([...kept, ...seen]);
    const lost = [...overlay.lost, ...all.flatMap(({ id, made }) => (made && !taken.has(id) ? [made] : []))];
    const old = all.flatMap((one) => (one.old && taken.has(one.id) ? [one.old] : []));
    if (lost.length > 0) navigation.open(unseenQuestion(resource, lost));
    if (next !== undefined && old.length > 0)
      navigation.open({
        ...{ kind: 'confirm', resource, action: next, targets: old, params: {} },
        about:
          old.length === 1
            ? 'This is the old one: the secret of the new one was shown, copied or saved.'
            : 'These are the old ones: the secrets of the new ones were shown, copied or saved.',
      });
  }

  function shows(id = ''): void {
    setShown(toggled(shown, id));
    setSeen([...seen, id]);
  }

  async function saved(typed: string): Promise<void> {
    setPath(undefined);
    if (typed === '') return;
    const texts = all.map(({ label, values }) =>
      [...(isOne ? [] : [clean(label)]), ...values.map(({ name, text }) => `${name}: ${text}`), ''].join('\n'),
    );
    try {
      await files.save(typed, texts.join('\n'));
      keep(all);
      setSaid(`Saved to ${files.resolve(typed)}; only you can read it.`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  }

  const named = Math.min(Math.max(...all.map(({ label }) => widthOf(clean(label)))), width - 42);
  const wrapped = (text: string) =>
    wrapCells(clean(text, width * height), width - 4).map((line) => `  ${theme.paint('title', line)}`);
  const lines = all.flatMap(({ id, label, values }) => {
    if (isOne) return values.flatMap(({ name, text }) => [theme.paint('dim', `  ${name}`), ...wrapped(text)]);
    const { mark, secret } = marksOf(theme);
    const [others, last] = [values.slice(0, -1).map(({ text }) => text), values.at(-1)];
    const known = cut([cell(label, named), ...others.map((text) => clean(text))].join('  '), width - 18);
    const state = kept.includes(id) ? 'kept' : shown.includes(id) ? '' : secret.repeat(8);
    const sign = marks.includes(id) ? theme.paint('mark', mark) : ' ';
    return itemLines(theme, id, [
      `${sign} ${known}  ${theme.paint('dim', state)}`,
      ...(shown.includes(id) ? wrapped(last?.text ?? '') : []),
    ]);
  });
  const once = isOne
    ? 'This is shown now and never again: copy it or save it before you leave.'
    : 'These can be shown now and never again: copy them or save them before you leave.';
  const { length: lost } = overlay.lost;
  const gone =
    lost === 0 ? '' : ` ${counted(lost, 'secret')} did not come with ${lost === 1 ? 'its answer' : 'their answers'}.`;
  const foot = saidLines(theme, said ?? once + gone, width - 4, unkept === 0 ? 'good' : 'warn', 2);
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
      keys={(current) => ({
        copy: () => copied(current),
        save: () => setPath(''),
        close: left,
        ...(!isOne && {
          show: () => shows(current),
          mark: () => current !== undefined && setMarks(toggled(marks, current)),
          markAll: () => setMarks(marks.length > 0 ? none : all.map(({ id }) => id)),
        }),
      })}
      width={width}
      height={height}
    />
  );
}
