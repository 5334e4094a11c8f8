/** Switches focus reports on; terminals that have none ignore it. */
export const focusOn = '\x1b[?1004h';
/** Switches focus reports off. */
export const focusOff = '\x1b[?1004l';

/** A click, a drag, or a turn of the wheel; cells count from 0. */
export interface MouseReport {
  action: 'press' | 'drag' | 'release' | 'wheelUp' | 'wheelDown';
  row: number;
  column: number;
}

/** Something that the terminal says by itself or answers; never a key. */
export type Report =
  | { kind: 'focus'; hasFocus: boolean }
  | { kind: 'mouse'; mouse: MouseReport }
  /** The background, or the preference of the desktop. */
  | { kind: 'background'; isLight: boolean }
  /** It has the kitty keyboard protocol. */
  | { kind: 'keyboard' }
  /** Its device attributes, which it is asked for last. */
  | { kind: 'attributes' }
  | { kind: 'other' };

/** Reads a whole sequence of the input; undefined for a key. */
export function reportOf(input: string): Report | undefined {
  if (!input.startsWith('\x1b')) return undefined;
  if (input === '\x1b[I' || input === '\x1b[O') return { kind: 'focus', hasFocus: input === '\x1b[I' };
  if (/^\x1b\]\d/.test(input)) {
    const isLight = lightOf(input);
    return isLight === undefined ? { kind: 'other' } : { kind: 'background', isLight };
  }
  if (!/^\x1b\[[<=>?]/.test(input)) return undefined;
  const mouse = mouseOf(input);
  if (mouse) return { kind: 'mouse', mouse };
  if (/^\x1b\[\?997;[12]n$/.test(input)) return { kind: 'background', isLight: input.endsWith('2n') };
  if (/^\x1b\[\?\d+u$/.test(input)) return { kind: 'keyboard' };
  if (/^\x1b\[\?[\d;]*c$/.test(input)) return { kind: 'attributes' };
  return { kind: 'other' };
}

/** Whether the answer to a question for the background names a light colour; undefined for another string. */
function lightOf(input: string): boolean | undefined {
  const [, ...channels] = /^\x1b\]11;(?:rgba?:|#)([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(input) ?? [];
  if (channels.length === 0) return undefined;
  const [red = 0, green = 0, blue = 0] = channels.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  // The luma of ITU-R BT.709.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

/** Only the left button and the wheel are of use. */
function mouseOf(input: string): MouseReport | undefined {
  const [, code = '', column = '', row = '', end = ''] = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(input) ?? [];
  const action = actionOf(Number(code) & ~modifiers, end === 'M');
  return end === '' || !action ? undefined : { action, row: Number(row) - 1, column: Number(column) - 1 };
}

/** The bits of shift, alt and ctrl. */
const modifiers = 4 | 8 | 16;

function actionOf(code: number, isDown: boolean): MouseReport['action'] | undefined {
  if (code === 0) return isDown ? 'press' : 'release';
  if (code === 32) return 'drag';
  if (code === 64) return 'wheelUp';
  return code === 65 ? 'wheelDown' : undefined;
}

/** The modes that are asked for; off where nothing is said. */
export interface ModeOptions {
  /** Clicks, drags and the wheel are reported. */
  mouse?: boolean;
  /** The background is asked for, and its changes are reported. */
  followsBackground?: boolean;
  /** The kitty keyboard protocol is used where it exists. */
  keyboard?: boolean;
}

const mouseOn = '\x1b[?1002h\x1b[?1006h';
const mouseOff = '\x1b[?1006l\x1b[?1002l';
/** Reports of a light or dark desktop. */
const schemeOn = '\x1b[?2031h';
const schemeOff = '\x1b[?2031l';
/** Escape, and keys with ctrl and alt, are sent as sequences of their own. */
const keyboardOn = '\x1b[>1u';
/** Ends what was begun on the full screen; a shell may have its own on the main screen. */
const keyboardOff = '\x1b[<u';
/** Takes all of it back where something else may be below. */
const keyboardPlain = '\x1b[=0;1u';

const backgroundQuestion = '\x1b]11;?\x1b\\';
const keyboardQuestion = '\x1b[?u';
/** Every terminal answers it, and in turn: what it has not answered before, it does not have. */
const attributesQuestion = '\x1b[c';

/** A terminal at the far end of a slow line answers a question within this time. */
const maxAnswerMs = 2000;

/**
 * The modes of the full screen beside those of Ink.
 * @param isPlain a console, or no keys are read: nothing is asked and nothing switched on
 */
export function createModes(
  { mouse = false, followsBackground = false, keyboard = false }: ModeOptions,
  isPlain: boolean,
) {
  let isOn = false;
  let hasKeyboard = false;
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    /** The bytes that switch them on, once the full screen is there. */
    enter() {
      if (isPlain || isOn) return '';
      isOn = true;
      return (mouse ? mouseOn : '') + (followsBackground ? schemeOn : '') + (hasKeyboard ? keyboardOn : '');
    },
    /** The bytes that switch off those that are on, before it goes. */
    leave() {
      if (!isOn) return '';
      isOn = false;
      return (mouse ? mouseOff : '') + (followsBackground ? schemeOff : '') + (hasKeyboard ? keyboardOff : '');
    },
    /** The bytes that end what a program on the main screen has left on. */
    afterChild: () => (hasKeyboard ? keyboardPlain : ''),
    /** The questions about what is not known. */
    questions() {
      const asked = (followsBackground ? backgroundQuestion : '') + (keyboard ? keyboardQuestion : '');
      if (isPlain || asked === '') return '';
      waiting?.resolve();
      const own = Promise.withResolvers<void>();
      waiting = own;
      setTimeout(own.resolve, maxAnswerMs);
      void own.promise.then(() => {
        if (waiting === own) waiting = undefined;
      });
      return asked + attributesQuestion;
    },
    /** Whether the keyboard protocol is on. */
    get isExact() {
      return isOn && hasKeyboard;
    },
    /** Takes an answer; returns the bytes that switch on what it offers. */
    take({ kind }: Report) {
      if (kind === 'attributes') waiting?.resolve();
      if (kind !== 'keyboard' || !keyboard || hasKeyboard) return '';
      hasKeyboard = true;
      return isOn ? keyboardOn : '';
    },
    /** Resolves when the questions are answered, or a terminal is not going to answer; undefined where none is open. */
    answered: () => waiting?.promise,
  };
}
