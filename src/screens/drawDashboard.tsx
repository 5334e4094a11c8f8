import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import type { Stores } from '../store/stores.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from './App.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { inkOptions } from './terminal/inkOptions.ts';
import { watchWindow } from './terminal/windowSigns.ts';
import { AppContext, type AppContextValue } from './useStores.ts';
import { WatchApp, type WatchOptions } from './watch/WatchApp.tsx';

/** Options of `drawDashboard`. */
export interface DrawOptions extends Omit<AppContextValue, 'stores'> {
  terminal: Terminal;
  /** The wall monitor instead of the dashboard. */
  watch?: WatchOptions;
}

/** The interval between two polls of the events is this many times longer while the terminal has no focus. */
const unfocusedFactor = 4;

/**
 * Draws the dashboard, or the wall monitor, until the user quits; rejects when it crashes.
 * @param onDrawn called when the first frame is drawn and its screen has subscribed to its data
 */
export async function drawDashboard(
  stores: Stores,
  { terminal, copy, edit, suspend, watch }: DrawOptions,
  onDrawn: () => void,
): Promise<void> {
  terminal.begin();
  const ink = render(
    <ChosenTheme stores={stores} terminal={terminal}>
      <AppContextProvider stores={stores} copy={copy} edit={edit} suspend={suspend}>
        <TerminalEvents terminal={terminal} stores={stores} isWall={watch !== undefined} onDrawn={onDrawn} />
        <KeyboardProvider isActive={Boolean(terminal.stdin.isTTY)}>
          {watch ? <WatchApp {...watch} /> : <App />}
        </KeyboardProvider>
      </AppContextProvider>
    </ChosenTheme>,
    inkOptions(terminal),
  );
  await ink.waitUntilExit();
}

interface ChosenThemeProps {
  stores: Stores;
  terminal: Terminal;
  children: ReactNode;
}

/** Provides the theme, which may change within a session. */
function ChosenTheme({ stores, terminal, children }: ChosenThemeProps) {
  const { settings, session } = stores;
  const name = useStore(session, (state) => state.theme) ?? settings.theme;
  const theme = useMemo(() => {
    const glyphs = settings.ascii ? 'ascii' : 'unicode';
    return themeNamed(name, glyphs, settings.color, settings.colorDepth);
  }, [name, settings]);
  useLayoutEffect(() => terminal.tintAtRest(theme.rows.current), [terminal, theme]);
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

type AppContextProps = AppContextValue & { children: ReactNode };

/** Provides the stores and the terminal's services to the screens. */
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

/** Polls less while the terminal has no focus (the wall monitor excepted), and not at all while suspended. */
function TerminalEvents({ terminal, stores, isWall, onDrawn }: TerminalEventsProps) {
  const { suspendTerminal } = useApp();
  useEffect(onDrawn, [onDrawn]);
  useEffect(() => {
    terminal.listen({
      onFocus: (hasFocus) => stores.events.setIntervalFactor(hasFocus || isWall ? 1 : unfocusedFactor),
      onHidden: stores.pause,
      suspend: () => suspendTerminal(),
    });
  }, [terminal, stores, isWall, suspendTerminal]);
  useEffect(() => watchWindow(stores, terminal), [terminal, stores]);
  return null;
}
