import { useEffect, useState } from 'react';
import { saidLines } from '../../components/spans.ts';
import { useTheme } from '../../components/theme.ts';
import { placeOf } from '../../store/navigation.ts';
import type { ViewConfig } from '../../store/views/columns.ts';
import { openView, userView, ViewExistsError, viewOfPlace, wrongName } from '../../store/views/userViews.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { Page } from '../page/Page.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import { copyText, type OverlayProps, useAppContext, useNavigation, useStores } from '../useStores.ts';

/** Keeps the list on the screen as a view, under a name. */
export function SaveViewPane({ overlay, width, height }: OverlayProps<'saveView'>) {
  const theme = useTheme();
  const { navigation, savedViews, configuration } = useStores();
  const [name, setName] = useState(overlay.name);
  const [said, setSaid] = useState('');
  const [agreed, setAgreed] = useState<string>();
  const view = useNavigation((state) => JSON.stringify(viewOfPlace(state, placeOf(state)) ?? null));
  const typed = name.trim();
  const [, lines] = useViewText(typed || 'NAME', view, width);

  async function save(): Promise<void> {
    const kept = viewOfPlace(navigation.getState(), placeOf(navigation.getState()));
    const wrong = typed === '' ? 'A view needs a name' : wrongName(typed) && `${typed} ${wrongName(typed)}`;
    if (!kept || wrong !== undefined) {
      setSaid(`${wrong ?? 'This place is no list that can be kept'}.`);
      return;
    }
    try {
      await savedViews.save(typed, kept, agreed === typed);
      show(kept);
    } catch (error) {
      if (error instanceof ViewExistsError) setAgreed(typed);
      setSaid((error as Error).message);
    }
  }

  /** Goes on in the saved view, and shows it as text. */
  function show(kept: ViewConfig): void {
    openView(navigation, userView(configuration.getState().views, typed), 'replace');
    const { path } = savedViews;
    const where = path === undefined ? 'It lasts for this session.' : `It is in ${path}, which only you can read.`;
    const says = `${where} :${typed} opens it, as does skydeck ${typed}; c copies this text to share it.`;
    navigation.dismiss(overlay, { kind: 'viewText', title: `Saved: ${typed}`, name: typed, view: kept, says });
  }

  function type(text: string): void {
    setName(text);
    setSaid('');
  }

  return (
    <Page
      layer="saveView"
      title="Save this list as a view"
      head={[
        <PromptLine
          key="name"
          label="  name: "
          value={name}
          change={type}
          placeholder="letters, digits, - and _"
          width={width}
        />,
        ...saidLines(theme, said, width - 4, 'warn', 2),
        '',
      ]}
      lines={lines.map((line) => theme.paint('dim', line))}
      keys={{ save: () => void save(), clear: () => type(''), close: () => navigation.dismiss(overlay) }}
      options={{ typing: true, onPaste: (pasted) => type(name + pasted.trim()) }}
      width={width}
      height={height}
    />
  );
}

/** A view as TOML, to be copied into another configuration. */
export function ViewTextPane({ overlay, width, height }: OverlayProps<'viewText'>) {
  const theme = useTheme();
  const context = useAppContext();
  const { title, name, view, says } = overlay;
  const [text, lines] = useViewText(name, JSON.stringify(view), width);
  const foot = saidLines(theme, says, width - 4, 'good', 2);
  const copy = () => copyText(context, `view ${name}`, text);
  const close = () => context.stores.navigation.dismiss(overlay);
  return (
    <Page
      {...{ title, width, height }}
      layer="viewText"
      head={['', ...foot, '']}
      lines={lines}
      keys={{ copy, close }}
    />
  );
}

/** A view as TOML, whole and wrapped; empty until the writer is loaded. */
function useViewText(name: string, view: string, width: number): readonly [string, readonly string[]] {
  const [text, setText] = useState('');
  useEffect(() => {
    let isCurrent = true;
    void import('../../config/configTexts.ts').then(({ viewsText }) => {
      const parsed = JSON.parse(view);
      if (isCurrent) setText(parsed ? viewsText({ [name]: parsed }) : '');
    });
    return () => {
      isCurrent = false;
    };
  }, [name, view]);
  return [text, text.split('\n').flatMap((line) => wrapCells(clean(line), width - 4).map((part) => `  ${part}`))];
}
