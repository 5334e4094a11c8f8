import { render } from 'ink';
import { ThemeContext, themeNamed } from '../../components/theme.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { KeyboardProvider } from '../keyboard.tsx';
import { inkOptions } from '../terminal/inkOptions.ts';
import type { FirstChoice } from './accountFields.ts';
import { FirstStart, type FirstStartProps } from './FirstStart.tsx';

interface DrawFirstStart extends Omit<FirstStartProps, 'choose'> {
  terminal: Terminal;
  theme: Parameters<typeof themeNamed>;
}

/** Draws the first start until one of its ways was chosen; rejects when it crashes. */
export async function drawFirstStart({ terminal, theme, ...props }: DrawFirstStart): Promise<FirstChoice> {
  terminal.begin();
  let chosen: FirstChoice = 'quit';
  const ink = render(
    <ThemeContext value={themeNamed(...theme)}>
      <KeyboardProvider>
        <FirstStart
          {...props}
          choose={(choice) => {
            chosen = choice;
            ink.unmount();
          }}
        />
      </KeyboardProvider>
    </ThemeContext>,
    inkOptions(terminal),
  );
  await ink.waitUntilExit();
  return chosen;
}
