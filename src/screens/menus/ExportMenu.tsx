import { useMemo, useState } from 'react';
import { resourceNamed } from '../../resources/index.ts';
import { targetsAt } from '../../store/changes/change.ts';
import { exportFormats, exportText } from '../../store/views/exportText.ts';
import { maxCopyBytes } from '../../terminal/clipboard.ts';
import { grouped } from '../../text/numbers.ts';
import { copyText } from '../page/copyText.ts';
import type { OverlayProps } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { rowsText } from './copies.ts';
import { Menu, type MenuItem } from './Menu.tsx';

/** Writes rows of a list as CSV or JSON, to a file or to the clipboard of the terminal; over another file once asked. */
export function ExportMenu({ overlay, ...size }: OverlayProps<'export'>) {
  const context = useAppContext();
  const { navigation, notices, files, view } = context.stores;
  const [path, setPath] = useState('');
  const resource = resourceNamed(overlay.resource);
  // The rows are those of when it was asked for.
  const [rows] = useState(() => targetsAt({ view }, resource, overlay.targets).map(({ row }) => row));
  const texts = useMemo(
    () => exportFormats.map((format) => [format, exportText(format, resource, overlay.columns, rows, view)] as const),
    [resource, overlay, rows, view],
  );
  const what = rowsText(resource, rows);
  // A file that is there, with what is to take its place.
  const [taken, setTaken] = useState<{ file: string; text: string; bytes: number }>();

  async function save(file: string, text: string, isOver = false): Promise<void> {
    try {
      const there = isOver ? undefined : await files.look(file);
      if (there?.kind === 'file') return setTaken({ file, text, bytes: there.bytes });
      await files.save(file, text, isOver);
      notices.say('good', `Wrote ${what} to ${files.resolve(file)}, for you alone.`);
      navigation.dismiss(overlay);
    } catch (error) {
      notices.say('bad', (error as Error).message);
    }
  }

  const items = texts.flatMap(([format, text]): readonly MenuItem[] => {
    const file = path.trim() || `${resource.name}.${format}`;
    const bytes = Buffer.byteLength(text);
    const detail = `${grouped(bytes)} bytes`;
    return [
      {
        id: `${format} file`,
        label: `${format.toUpperCase()} to the file ${file}`,
        detail,
        run: () => void save(file, text),
      },
      {
        id: `${format} clipboard`,
        label: `${format.toUpperCase()} to the clipboard`,
        detail,
        refusal:
          bytes > maxCopyBytes ? `a terminal copies at most ${grouped(maxCopyBytes)} bytes; write a file` : undefined,
        run: () => {
          navigation.dismiss(overlay);
          copyText(context, `${format.toUpperCase()} of ${what}`, text);
        },
      },
    ];
  });
  if (taken) {
    const { file, text, bytes } = taken;
    const keep = () => setTaken(undefined);
    return (
      <Menu
        key="taken"
        title={`Overwrite ${file}?`}
        note={`It is there already, with ${grouped(bytes)} bytes, which are lost then.`}
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
