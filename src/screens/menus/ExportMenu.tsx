import { useMemo, useState } from 'react';
import { paramsIn } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { rowsText } from '../../resources/wording.ts';
import { targetsAt } from '../../store/changes/change.ts';
import { oldestKept } from '../../store/changes/freshRows.ts';
import { codeFormats, codeText, exportFormats, exportText, formatsFor, prefixOf } from '../../store/export/formats.ts';
import { maxCopyBytes } from '../../terminal/capabilities.ts';
import { sizeText } from '../../text/numbers.ts';
import { momentWords } from '../../text/times.ts';
import { copyText, type OverlayProps, useAppContext } from '../useStores.ts';
import { Menu, type MenuItem } from './Menu.tsx';

/** Writes rows of a list as CSV, JSON or what other programs take, to a file or to the clipboard of the terminal; over another file once asked. */
export function ExportMenu({ overlay, ...size }: OverlayProps<'export'>) {
  const context = useAppContext();
  const { navigation, notices, files, view, api, configuration, cache, now } = context.stores;
  const { ssh } = configuration.getState();
  const [path, setPath] = useState('');
  const resource = resourceNamed(overlay.resource);
  // The rows are those of when it was asked for.
  const [targets] = useState(() => targetsAt(view, resource, overlay.targets));
  const rows = useMemo(() => targets.map(({ row }) => row), [targets]);
  // Rows that are read meanwhile are written as they were when it was asked for.
  const [readAt] = useState(() => oldestKept(cache, resource, overlay.targets));
  const rowsWords = rowsText(resource, targets);
  const what = readAt === undefined ? rowsWords : `${rowsWords} as of ${momentWords(readAt, now())}`;
  const texts = useMemo(
    () => [
      ...exportFormats.map((format) => ({
        name: format.toUpperCase(),
        ending: format,
        text: exportText(format, resource, overlay.columns, rows, view, readAt),
      })),
      // Of many rows these are long, so each is written once it is chosen.
      ...formatsFor(resource.name).map((format) => ({
        name: codeFormats[format].title,
        ending: codeFormats[format].ending,
        text: () => {
          const groups = Map.groupBy(targets, ({ params }) => JSON.stringify(paramsIn(resource.list?.path, params)));
          const lists = [...groups].map(([parents, those]) => ({
            params: JSON.parse(parents),
            rows: those.map(({ row }) => row),
          }));
          const as = readAt === undefined ? '' : ` as of ${new Date(readAt).toISOString()}`;
          const made = `Made by Skydeck at ${new Date(view.now).toISOString()}: ${rowsWords}${as}.`;
          return codeText(format, [{ resource: resource.name, lists }], { view, ssh, made, prefix: prefixOf(api) });
        },
      })),
    ],
    [resource, overlay, targets, rows, view, ssh, api, rowsWords, readAt],
  );
  // A file that is there, with what is to take its place.
  const [taken, setTaken] = useState<{ file: string; text: string; bytes: number; isLink?: true }>();

  async function save(file: string, text: string, isOver = false): Promise<void> {
    try {
      const there = isOver ? undefined : await files.look(file);
      if (there?.kind === 'file') return setTaken({ file, text, ...there });
      await files.save(file, text, isOver);
      notices.say('good', `Wrote ${what} to ${files.resolve(file)}, for you alone.`);
      navigation.dismiss(overlay);
    } catch (error) {
      notices.say('bad', (error as Error).message);
    }
  }

  const sizes = texts.map(({ text }) => (typeof text === 'string' ? Buffer.byteLength(text) : undefined));
  const digits = Math.max(...sizes.map((size = 0) => sizeText(size).length));
  const items = texts.flatMap(({ name, ending, text }, nth): readonly MenuItem[] => {
    const file = path.trim() || `${resource.name}.${ending}`;
    const written = () => (typeof text === 'string' ? text : text());
    const bytes = sizes[nth];
    const detail = bytes === undefined ? '' : sizeText(bytes).padStart(digits);
    const tooLong = `a terminal copies at most ${sizeText(maxCopyBytes)}; write a file`;
    return [
      { id: `${ending} file`, label: `${name} to the file ${file}`, detail, run: () => void save(file, written()) },
      {
        id: `${ending} clipboard`,
        label: `${name} to the clipboard`,
        detail,
        refusal: bytes !== undefined && bytes > maxCopyBytes ? tooLong : undefined,
        run: () => {
          navigation.dismiss(overlay);
          copyText(context, `${name} of ${what}`, written());
        },
      },
    ];
  });
  if (taken) {
    const { file, text, bytes, isLink } = taken;
    const lost = isLink
      ? 'as a link: that is lost then, and the file to which it leads stays'
      : `with ${sizeText(bytes)}, which are lost then`;
    const keep = () => setTaken(undefined);
    return (
      <Menu
        key="taken"
        title={`Overwrite ${file}?`}
        note={`It is there already, ${lost}.`}
        items={[
          { id: 'keep', label: 'Keep it, and name another file', run: keep },
          { id: 'over', label: `Overwrite it with ${what}`, isDanger: true, run: () => void save(file, text, true) },
        ]}
        close={keep}
        {...size}
      />
    );
  }
  return (
    <Menu
      title={`Write ${what}`}
      items={items}
      close={() => navigation.dismiss(overlay)}
      search={{ query: path, setQuery: setPath, placeholder: 'a new file, instead of the one below', isNote: true }}
      {...size}
    />
  );
}
