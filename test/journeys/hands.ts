import type { Glass } from '../emulator.ts';

/** Uses a list and a form as a user does, whatever terminal the program is in. */
export interface Hands {
  /** The line that the cursor stands on, of the topmost thing that has one; blank where a choice offers nothing yet. */
  cursorLine(): string;
  /** Goes to an area by the palette and waits until its list is there. */
  goTo(area: string): Promise<void>;
  /** Carries out what has no key here, or whatever is called so, by the palette. */
  byName(name: string): Promise<void>;
  /** Chooses an action by its name in the menu of actions. */
  act(name: string): Promise<void>;
  /** Goes to the field of this label in the open form. */
  field(label: string): Promise<void>;
  /** Goes to a field and writes over what is there. */
  fill(label: string, text: string): Promise<void>;
  /** Goes to a field of a few values and changes it until it shows this one. */
  choose(label: string, value: string): Promise<void>;
  /** Goes to a field that refers to rows, and picks the one found by these words, or ticks it. */
  pick(label: string, words: string): Promise<void>;
  /** Sends the open form of several rows, and agrees to the question which they are once its end was seen. */
  sendToAll(): Promise<void>;
}

/** Stands before the line that the cursor is on, which may have a lock. */
export const pointer = /^(.*[\s│])?[❯>][ ⚿#] *(?=\S)/;

/** The cursor of what stands beside a list, which has one too. */
const besideList = /│[❯>] +(?=\S)/;

/** Whether a line of a menu, after the mark of the cursor, is of this action: its letter and its name. */
const startsWith = (rest: string, name: string) => rest.slice(1, 4).endsWith('  ') && rest.slice(4).startsWith(name);

/** The line in which one types to narrow a choice, below the title; it is there while what is offered is still read. */
const input = /^(.*│)? [❯>] /;

/** The entry of a field in its line: behind the label, the mark of a required one and that of a checked one. */
const entryOf = (line: string, label: string): string =>
  line
    .replace(pointer, '')
    .trimStart()
    .slice(label.length)
    .replace(/^( \*)?\s+([✓✗+!] )?/, '');

/**
 * Hands on a screen. What is not about typing is pasted: each typed character is a frame that nobody looks at.
 */
export function handsOn(screen: Glass): Hands {
  const cursorLine = () => {
    const lines = screen.text().split('\n');
    const typed = lines.findLastIndex((line, row) => input.test(line) && lines[row - 1]?.includes('── '));
    const below = lines.slice(typed + 1);
    return below.findLast((line) => besideList.test(line)) ?? below.findLast((line) => pointer.test(line)) ?? '';
  };

  async function byName(name: string): Promise<void> {
    await screen.press(':');
    await screen.waitFor('Go to ─');
    await screen.paste(name);
    await screen.waitFor(() => cursorLine().toLowerCase().includes(name.toLowerCase()));
    await screen.press('enter');
    await screen.waitFor((text) => !text.includes('Go to ─'));
  }

  async function field(label: string): Promise<void> {
    const line = () => cursorLine().replace(pointer, '').trimStart();
    const isThere = () => line().startsWith(label);
    // Typed text may be drawn after the next key was pressed.
    const labelThere = () => line().split(/ {2}| \*/, 1)[0];
    for (let step = 0; !isThere(); step++) {
      if (step === 60) throw new Error(`the form has no field ${label}:\n${screen.text()}`);
      const before = labelThere();
      await screen.press('tab');
      await screen.waitFor(() => labelThere() !== before);
    }
  }

  return {
    cursorLine,
    field,
    byName,
    goTo: async (area) => {
      await byName(area);
      await screen.waitFor((text) => !/Reading .* …/.test(text));
    },
    act: async (name) => {
      await screen.press('a');
      await screen.waitFor('── Actions on ');
      await screen.type(name.toLowerCase());
      // Beside a list, which has a cursor too.
      await screen.waitFor((text) =>
        ['❯', '>'].some((mark) => text.split(mark).some((rest) => startsWith(rest, name))),
      );
      await screen.press('enter');
      await screen.waitFor((text) => !text.includes('── Actions on '));
    },
    fill: async (label, text) => {
      await field(label);
      await screen.press('ctrl-u');
      await screen.paste(text);
      const masked = '•'.repeat(text.length);
      // Several lines may stand below their label.
      const from = () => screen.text().slice(screen.text().lastIndexOf(cursorLine()));
      await screen.waitFor(() => [text, masked].some((shown) => from().includes(shown.slice(0, 30))));
    },
    choose: async (label, value) => {
      await field(label);
      // The options stand in the rule beside the field, too.
      const isChosen = () => entryOf(cursorLine(), label).startsWith(value);
      for (let step = 0; !isChosen(); step++) {
        if (step === 20) throw new Error(`${label} does not offer ${value}:\n${screen.text()}`);
        const before = cursorLine();
        await screen.press('space');
        await screen.waitFor(() => cursorLine() !== before);
      }
    },
    pick: async (label, words) => {
      await field(label);
      await screen.press('enter');
      await screen.waitFor((text) => text.includes(`── ${label} `) && /type to narrow/.test(text));
      const isTicked = screen.text().includes('space ticks');
      await screen.paste(words);
      await screen.waitFor(() => cursorLine().toLowerCase().includes(words.toLowerCase()));
      if (isTicked) {
        await screen.press('space');
        await screen.waitFor(() => /[❯>] [✓*] /.test(cursorLine()));
      }
      await screen.press('enter');
      await screen.waitFor((text) => !text.includes(`── ${label} `));
    },
    sendToAll: async () => {
      await screen.press('ctrl-s');
      await screen.waitFor(/── .* \d+ of \d+ .*\n/);
      await screen.press('end');
      await screen.waitFor('enter do it');
      await screen.press('enter');
    },
  };
}
