import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useMemo } from 'react';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import type { Stores } from '../store/stores.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from './App.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { AppContext, type AppContextValue } from './useStores.ts';
import { WatchApp, type WatchOptions } from './watch/WatchApp.tsx';

/** The drawn dashboard needs these from outside. */
export interface DrawOptions extends Omit<AppContextValue, 'stores'> {
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
  stores: Stores,
  { terminal, copy, edit, suspend, watch }: DrawOptions,
  onDrawn: () => void,
): Promise<void> {
  const { settings } = stores;
  const theme = themeNamed(settings.theme, settings.ascii ? 'ascii' : 'unicode', settings.color);
  terminal.begin();
  const ink = render(
    <ThemeContext value={theme}>
      <AppContextProvider stores={stores} copy={copy} edit={edit} suspend={suspend}>
        <TerminalEvents terminal={terminal} stores={stores} isWall={watch !== undefined} onDrawn={onDrawn} />
        <KeyboardProvider isActive={Boolean(terminal.stdin.isTTY)}>
          {watch ? <WatchApp {...watch} /> : <App />}
        </KeyboardProvider>
      </AppContextProvider>
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

type AppContextProps = AppContextValue & { children: ReactNode };

/** Joins the screens with what is behind them. */
function AppContextProvider({ stores, copy, edit, suspend, children }: AppContextProps) {
  const context = useMemo(() => ({ stores, copy, edit, suspend }), [stores, copy, edit, suspend]);
  return <AppContext value={context}>{children}</AppContext>;
}

interface TerminalEventsProps {
  terminal: Terminal;
  stores: Stores;
  isWall: boolean;
  onDrawn: () => void;
}

/** Asks the API less while the terminal has no focus (a wall excepted), and nothing while the dashboard is not drawn. */
function TerminalEvents({ terminal, stores, isWall, onDrawn }: TerminalEventsProps) {
  const { suspendTerminal } = useApp();
  useEffect(onDrawn, [onDrawn]);
  useEffect(() => {
    terminal.listen({
      onFocus: (hasFocus) => stores.events.setIntervalFactor(hasFocus || isWall ? 1 : unwatched),
      onHidden: stores.pause,
      suspend: () => suspendTerminal(),
    });
  }, [terminal, stores, isWall, suspendTerminal]);
  return null;
}
