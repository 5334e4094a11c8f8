/** The attributes of a cell, each with the codes that switch it on and off. */
const attributes = [
  { on: 1, off: 22, bit: 1 }, // bold
  { on: 2, off: 22, bit: 2 }, // dim
  { on: 3, off: 23, bit: 4 }, // italic
  { on: 4, off: 24, bit: 8 }, // underline
  { on: 7, off: 27, bit: 16 }, // inverse
  { on: 8, off: 28, bit: 32 }, // hidden
  { on: 9, off: 29, bit: 64 }, // struck out
] as const;

/** The attributes that show on a blank: underline, inverse and strike-through. */
const shownOnBlank = 8 | 16 | 64;

interface Style {
  /** The parameters that set it, e.g. `31` or `38;5;9`; empty for the default. */
  foreground: string;
  background: string;
  /** The bits of the attributes that are on. */
  bits: number;
  /** The address that it leads to (OSC 8); empty for none. */
  link: string;
}

const plain: Style = { foreground: '', background: '', bits: 0, link: '' };

/** Every style seen so far; a cell holds the index. 0 is the default. */
const styles: Style[] = [plain];
const indexes = new Map<string, number>([[styleKey(plain), 0]]);
const blanks = new Map<number, number>();
const transitions = new Map<number, string>();
const maxStyles = 4096;
/** The addresses seen so far; so many are links, and further ones are not, so that the table stays bounded. */
const links = new Set<string>(['']);
const maxLinks = 512;

function styleKey({ foreground, background, bits, link }: Style): string {
  return `${foreground};;${background};;${bits};;${link}`;
}

function indexOf(style: Style): number {
  const key = styleKey(style);
  const known = indexes.get(key);
  if (known !== undefined) return known;
  // No theme has so many styles; further ones are drawn plain, so that the table stays bounded.
  if (styles.length >= maxStyles) return 0;
  styles.push(style);
  indexes.set(key, styles.length - 1);
  return styles.length - 1;
}

const styleAt = (index: number): Style => styles[index] ?? plain;

/** The style after an SGR sequence with these parameters (`1;31`), from the style before it. */
export function styleAfter(index: number, parameters: string): number {
  const style = { ...styleAt(index) };
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const length = codes[index + 1] === 2 ? 5 : 3;
      const value = codes.slice(index, index + length).join(';');
      if (code === 38) style.foreground = value;
      else style.background = value;
      index += length - 1;
    } else apply(style, code);
  }
  return indexOf(style);
}

function apply(style: Style, code: number): void {
  if (code === 0) Object.assign(style, plain, { link: style.link });
  else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) style.foreground = String(code);
  else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) style.background = String(code);
  else if (code === 39) style.foreground = '';
  else if (code === 49) style.background = '';
  else {
    for (const { on, off, bit } of attributes) {
      if (code === on) style.bits |= bit;
      if (code === off) style.bits &= ~bit;
    }
  }
}

/** The style after a link begins (OSC 8), or ends where the address is empty. */
export function styleLinked(index: number, address: string): number {
  if (links.size < maxLinks) links.add(address);
  return indexOf({ ...styleAt(index), link: links.has(address) ? address : '' });
}

/** Whether text of this style is a link. */
export const isLink = (index: number): boolean => styleAt(index).link !== '';

/** The style of a blank that looks the same, without attributes that show on letters only. */
export function blankStyle(index: number): number {
  const known = blanks.get(index);
  if (known !== undefined) return known;
  const { foreground, background, bits } = styleAt(index);
  const shown = bits & shownOnBlank;
  const blank = indexOf({ foreground: shown ? foreground : '', background, bits: shown, link: '' });
  blanks.set(index, blank);
  return blank;
}

/** The style without these colours of a row; unchanged where it has another background. */
export function untinted(index: number, tint: { foreground: string; background: string }): number {
  const style = styleAt(index);
  if (style.background !== tint.background) return index;
  const known = plainer.get(index);
  if (known?.of === tint.foreground) return known.style;
  const foreground = style.foreground === tint.foreground ? '' : style.foreground;
  const untinted = indexOf({ ...style, background: '', foreground });
  plainer.set(index, { of: tint.foreground, style: untinted });
  return untinted;
}

/** Styles without the colours of a row, by their index, and the foreground that was left out. */
const plainer = new Map<number, { of: string; style: number }>();

/** The shortest SGR sequence from one style to another; empty when they are the same. */
export function transition(from: number, to: number): string {
  if (from === to) return '';
  const key = from * maxStyles + to;
  const known = transitions.get(key);
  if (known !== undefined) return known;
  const [before, after] = [styleAt(from), styleAt(to)];
  const link = before.link === after.link ? '' : `\x1b]8;;${after.link}\x1b\\`;
  const shortest = link + shortestSgr(before, after);
  transitions.set(key, shortest);
  return shortest;
}

function shortestSgr(from: Style, to: Style): string {
  if (styleKey({ ...from, link: to.link }) === styleKey(to)) return '';
  const isPlain = styleKey({ ...to, link: '' }) === styleKey(plain);
  const reset = isPlain ? [''] : ['0', ...additions(plain, to)];
  const stepwise = [...removals(from, to), ...additions(withoutRemoved(from, to), to)];
  const written = [reset, stepwise].map((codes) => `\x1b[${codes.join(';')}m`);
  return written.reduce((one, other) => (other.length < one.length ? other : one));
}

/** A style after the removals on the way to another. */
function withoutRemoved(from: Style, to: Style): Style {
  const offCodes = new Set(attributes.filter(({ bit }) => from.bits & bit && !(to.bits & bit)).map(({ off }) => off));
  const bits = attributes.reduce((sum, { off, bit }) => (offCodes.has(off) ? sum & ~bit : sum), from.bits);
  return { ...from, bits };
}

function removals(from: Style, to: Style): readonly string[] {
  const codes = attributes.filter(({ bit }) => from.bits & bit && !(to.bits & bit)).map(({ off }) => String(off));
  if (from.foreground !== '' && to.foreground === '') codes.push('39');
  if (from.background !== '' && to.background === '') codes.push('49');
  return [...new Set(codes)];
}

function additions(from: Style, to: Style): readonly string[] {
  const codes = attributes.filter(({ bit }) => to.bits & bit && !(from.bits & bit)).map(({ on }) => String(on));
  if (to.foreground !== '' && to.foreground !== from.foreground) codes.push(to.foreground);
  if (to.background !== '' && to.background !== from.background) codes.push(to.background);
  return codes;
}

const inverse = 16;

/** Whether a style is inverse. */
export const isInverse = (index: number): boolean => (styleAt(index).bits & inverse) !== 0;

/** The style that is not inverse, and not bold, as a caret may be. */
export const withoutInverse = (index: number): number =>
  indexOf({ ...styleAt(index), bits: styleAt(index).bits & ~(inverse | 1) });
