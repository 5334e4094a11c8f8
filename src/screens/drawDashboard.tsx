import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useMemo } from 'react';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import type { Deck } from '../store/deck.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from './App.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { BridgeContext } from './useDeck.ts';
import { WatchApp, type WatchOptions } from './watch/WatchApp.tsx';

/** What the drawn dashboard needs from outside. */
export interface DrawOptions {
  terminal: Terminal;
  /** Has the terminal copy a text; throws a RangeError with a sentence when it is too long. */
  copy: (text: string) => void;
  /** Has the user edit a text while the dashboard is off the screen, from a line on; undefined when it was given up. */
  edit: (text: string, line: number | undefined) => Promise<string | undefined>;
  /** The wall monitor instead of the dashboard. */
  watch?: WatchOptions;
}

/** How much longer the pauses between two looks at the events are while nobody looks. */
const unwatched = 4;

/**
 * Draws the dashboard, or the wall monitor, until the user quits; rejects when it crashes.
 * @param onDrawn told when the first frame is there, and the screen itself looks at what it shows
 */
export async function drawDashboard(
  deck: Deck,
  { terminal, copy, edit, watch }: DrawOptions,
  onDrawn: () => void,
): Promise<void> {
  const { settings } = deck;
  const theme = themeNamed(settings.theme, settings.ascii ? 'ascii' : 'unicode', settings.color);
  terminal.begin();
  const ink = render(
    <ThemeContext value={theme}>
      <BridgeProvider deck={deck} copy={copy} edit={edit}>
        <Onlooker terminal={terminal} deck={deck} isWall={watch !== undefined} onDrawn={onDrawn} />
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
  await ink.waitUntilExit();
}

type BridgeProps = Pick<DrawOptions, 'copy' | 'edit'> & { deck: Deck; children: ReactNode };

/** Joins the screens with what is behind them. */
function BridgeProvider({ deck, copy, edit, children }: BridgeProps) {
  const bridge = useMemo(() => ({ deck, copy, edit }), [deck, copy, edit]);
  return <BridgeContext value={bridge}>{children}</BridgeContext>;
}

interface OnlookerProps {
  terminal: Terminal;
  deck: Deck;
  isWall: boolean;
  onDrawn: () => void;
}

/** Follows what becomes of the terminal: asks less while nobody looks, but at a wall, and nothing while nothing can be seen. */
function Onlooker({ terminal, deck, isWall, onDrawn }: OnlookerProps) {
  const { suspendTerminal } = useApp();
  useEffect(onDrawn, [onDrawn]);
  useEffect(() => {
    terminal.watch({
      onFocus: (hasFocus) => deck.events.setPatience(hasFocus || isWall ? 1 : unwatched),
      onAway: deck.rest,
      suspend: () => suspendTerminal(),
    });
  }, [terminal, deck, isWall, suspendTerminal]);
  return null;
}
