import { clean, wrapCells } from '../../components/cells.ts';
import type { Deck } from '../../store/deck.ts';
import { type Errand, targetsOf } from './submit.ts';

/** The exact request of an errand and the same as a command line, secrets left out. */
export function previewLines({ api }: Deck, errand: Errand, width: number): readonly string[] {
  const targets = targetsOf(errand);
  const [first] = targets;
  if (!first) return ['Nothing would be sent.'];
  const { method, url, body, curl } = api.preview(errand.action, { params: first.params, body: first.body });
  const more = targets.length > 1 ? [`and the same for ${targets.length - 1} more`] : [];
  const text = [`${method} ${url}`, ...(body ? body.split('\n') : []), '', ...curl.split('\n'), ...more];
  return text.flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), width)));
}
