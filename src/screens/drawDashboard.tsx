import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useMemo } from 'react';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import type { Deck } from '../store/deck.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from './App.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { type Bridge, BridgeContext } from './useDeck.ts';
import { WatchApp, type WatchOptions } from './watch/WatchApp.tsx';

/** The drawn dashboard needs these from outside. */
export interface DrawOptions extends Omit<Bridge, 'deck'> {
  terminal: Terminal;
  /** The wall monitor instead of the dashboard. */
  watch?: WatchOptions;
}

/** Pauses between two looks at the events are so many times longer while nobody looks. */
const unwatched = 4;

/**
 * Draws the dashboard, or the wall monitor, until the user quits; rejects when it crashes.
 * @param onDrawn told when the first frame is there, and the screen itself looks at what it shows
 */
export async function drawDashboard(
  deck: Deck,
  { terminal, copy, edit, stop, watch }: DrawOptions,
  onDrawn: () => void,
): Promise<void> {
  const { settings } = deck;
  const theme = themeNamed(settings.theme, settings.ascii ? 'ascii' : 'unicode', settings.color);
  terminal.begin();
  const ink = render(
    <ThemeContext value={theme}>
      <BridgeProvider deck={deck} copy={copy} edit={edit} stop={stop}>
        <TerminalEvents terminal={terminal} deck={deck} isWall={watch !== undefined} onDrawn={onDrawn} />
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
      // Ink writes each frame whole, which is what the screen writer compares.
      debug: true,
    },
  );
  await ink.waitUntilExit();
}

type BridgeProps = Bridge & { children: ReactNode };

/** Joins the screens with what is behind them. */
function BridgeProvider({ deck, copy, edit, stop, children }: BridgeProps) {
  const bridge = useMemo(() => ({ deck, copy, edit, stop }), [deck, copy, edit, stop]);
  return <BridgeContext value={bridge}>{children}</BridgeContext>;
}

interface TerminalEventsProps {
  terminal: Terminal;
  deck: Deck;
  isWall: boolean;
  onDrawn: () => void;
}

/** Asks the API less while the terminal has no focus (a wall excepted), and nothing while the dashboard is not drawn. */
function TerminalEvents({ terminal, deck, isWall, onDrawn }: TerminalEventsProps) {
  const { suspendTerminal } = useApp();
  useEffect(onDrawn, [onDrawn]);
  useEffect(() => {
    terminal.listen({
      onFocus: (hasFocus) => deck.events.setPatience(hasFocus || isWall ? 1 : unwatched),
      onHidden: deck.rest,
      suspend: () => suspendTerminal(),
    });
  }, [terminal, deck, isWall, suspendTerminal]);
  return null;
}
