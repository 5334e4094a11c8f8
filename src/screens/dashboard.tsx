import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useMemo } from 'react';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import { paramsFrom } from '../resources/identity.ts';
import { resourceCalled } from '../resources/index.ts';
import type { Shelf } from '../store/attention/acknowledgements.ts';
import { createDeck, type Deck } from '../store/deck.ts';
import type { Place } from '../store/navigation.ts';
import type { Session, Settings } from '../store/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from './App.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { placeOfArea, placeOfRow } from './places.ts';
import { BridgeContext } from './useDeck.ts';
import { WatchApp, type WatchOptions } from './watch/WatchApp.tsx';

/** Everything a dashboard needs from outside. */
export interface DashboardOptions {
  api: Deck['api'];
  /** Made before the API, which tells it of every call. */
  session: Session;
  settings: Settings;
  /** The area, and the row in it, to begin with; home by default. */
  place?: { area: string; id?: string };
  terminal: Terminal;
  files: Deck['files'];
  /** Where acknowledged problems are kept; as long as the dashboard is open by default. */
  shelf?: Shelf;
  /** Has the terminal copy a text; throws a RangeError with a sentence when it is too long. */
  copy: (text: string) => void;
  /** Has the user edit a text while the dashboard is off the screen, from a line on; undefined when it was given up. */
  edit: (text: string, line: number | undefined) => Promise<string | undefined>;
  /** The wall monitor instead of the dashboard. */
  watch?: WatchOptions;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** How much longer the pauses between two looks at the events are while nobody looks. */
const unwatched = 4;

/** Opens the dashboard, or the wall monitor, over the whole terminal; resolves when the user quits and rejects when it crashes. */
export async function openDashboard({
  api,
  session,
  settings,
  place,
  terminal,
  files,
  shelf,
  copy,
  edit,
  watch,
  now = Date.now,
}: DashboardOptions): Promise<void> {
  const deck = createDeck({ api, settings, session, files, shelf, start: startOf(place), now });
  const theme = themeNamed(settings.theme, settings.ascii ? 'ascii' : 'unicode', settings.color);
  terminal.begin();
  const ink = render(
    <ThemeContext value={theme}>
      <BridgeProvider deck={deck} copy={copy} edit={edit}>
        <Onlooker terminal={terminal} deck={deck} isWall={watch !== undefined} />
        <KeyboardProvider isActive={Boolean(terminal.stdin.isTTY)}>
          {watch ? <WatchApp {...watch} /> : <App />}
        </KeyboardProvider>
      </BridgeProvider>
    </ThemeContext>,
    {
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      exitOnCtrlC: false,
      patchConsole: false,
      alternateScreen: true,
      interactive: true,
      maxFps: 120,
    },
  );
  try {
    await ink.waitUntilExit();
  } finally {
    deck.close();
  }
}

type BridgeProps = Pick<DashboardOptions, 'copy' | 'edit'> & { deck: Deck; children: ReactNode };

/** Joins the screens with what is behind them. */
function BridgeProvider({ deck, copy, edit, children }: BridgeProps) {
  const bridge = useMemo(() => ({ deck, copy, edit }), [deck, copy, edit]);
  return <BridgeContext value={bridge}>{children}</BridgeContext>;
}

/** Follows what becomes of the terminal: asks less while nobody looks, but at a wall, and nothing while nothing can be seen. */
function Onlooker({ terminal, deck, isWall }: { terminal: Terminal; deck: Deck; isWall: boolean }) {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    terminal.watch({
      onFocus: (hasFocus) => deck.events.setPatience(hasFocus || isWall ? 1 : unwatched),
      onAway: deck.rest,
      suspend: () => suspendTerminal(),
    });
  }, [terminal, deck, isWall, suspendTerminal]);
  return null;
}

/** Where to begin: home, the fleet, a list, or one row of it. */
function startOf(place: DashboardOptions['place']): Place {
  if (place?.area === 'fleet') return { screen: 'fleet' };
  const resource = place && resourceCalled(place.area);
  if (!resource) return { screen: 'home' };
  return place.id === undefined ? placeOfArea(resource) : placeOfRow(resource, paramsFrom(resource, place.id));
}
