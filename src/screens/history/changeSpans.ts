import { formatValue } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import type { Theme } from '../../components/theme.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ValueChange } from '../../store/history/valueChanges.ts';
import { pathText } from '../../store/history/valueChanges.ts';
import type { CellFormat } from '../../text/cellFormat.ts';
import { clean } from '../../text/cells.ts';
import { visibleJson } from '../../text/escapes.ts';

/** A value that changed as a line: what was added to a list and taken from it, else before → after. */
export function changeSpans(resource: Resource, change: ValueChange, theme: Pick<Theme, 'glyphs'>): readonly Span[] {
  const { before, after } = change;
  const [was, is] = [wordsIn(before), wordsIn(after)];
  if (was && is) {
    const added = is.filter((word) => !was.includes(word));
    const removed = was.filter((word) => !is.includes(word));
    const spans = [
      ...added.map((word): Span => ({ text: clean(`+${word}`), role: 'good' })),
      ...removed.map((word): Span => ({ text: clean(`−${word}`), role: 'bad' })),
    ];
    if (spans.length > 0) return spans.flatMap((span, index) => (index > 0 ? [{ text: ' ' }, span] : [span]));
  }
  const format = formatAt(resource, pathText(change));
  const texts = [before, after].map((value) => formatValue(value, format, theme).text);
  const [one = '', other = ''] = texts[0] === texts[1] ? [exactText(before), exactText(after)] : texts;
  return [{ text: one, role: 'dim' }, { text: ' → ' }, { text: other }];
}

/** A value without any doubt about it. */
const exactText = (value: unknown): string => (value === undefined ? 'absent' : clean(visibleJson(value)));

/** The words of a list that holds nothing else. */
const wordsIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(String) : undefined;

/** The format in which the columns show the value at a path; an age does not tell two times apart. */
function formatAt({ columns, card = [] }: Resource, path: string): CellFormat {
  const column = [...columns, ...card].find(({ value }) => value === path);
  const format = column?.format;
  return format === undefined || format === 'age' || format === 'expiry' || format === 'id' ? 'any' : format;
}
