import { cell } from '../../components/cells.ts';
import { pointerOf, type Role, type Theme } from '../../components/theme.ts';
import type { BalancerNode } from '../../resources/networking/balancerNodes.ts';
import { type Fate, fateOf, type PlannedNode } from '../../resources/networking/rebuildPlan.ts';

const fates: Readonly<Record<Fate, { word: string; role: Role }>> = {
  keep: { word: 'keep', role: 'dim' },
  update: { word: 'update', role: 'busy' },
  delete: { word: 'delete', role: 'bad' },
  create: { word: 'create', role: 'good' },
};

/** The titles of `plannedLine`. */
export const plannedHead = (theme: Theme, width: number): string =>
  theme.paint('dim', `   ${cellsOf(['', 'LABEL', 'ADDRESS', 'MODE', 'WEIGHT'], width).join('  ')}`);

/** A planned node as one line: what becomes of it, and what it is to be; the old value stands before a new one. */
export function plannedLine(
  theme: Theme,
  node: PlannedNode,
  existing: readonly BalancerNode[],
  isCursor: boolean,
  width: number,
): string {
  const fate = fateOf(node, existing);
  const before = existing.find(({ id }) => id === node.id);
  const was = (name: 'label' | 'address' | 'mode' | 'weight') =>
    fate === 'update' && before && String(before[name] ?? '') !== String(node[name])
      ? `${before[name] ?? ''} ${theme.glyphs === 'ascii' ? '>' : '→'} ${node[name]}`
      : String(node[name]);
  const { word, role } = fates[fate];
  const [first = '', ...rest] = cellsOf([word, was('label'), was('address'), was('mode'), was('weight')], width);
  const pointer = pointerOf(theme, isCursor);
  const text = rest.join('  ');
  return `${pointer}  ${theme.paint(role, first)}  ${isCursor ? theme.paint('cursor', text) : theme.paint(fate === 'delete' ? 'dim' : 'plain', text)}`;
}

/** The cells of a line: what becomes of it, label, address, mode and weight. */
function cellsOf(texts: readonly string[], width: number): readonly string[] {
  const room = Math.max(20, width - 3 - 6 - 4 * 2);
  const widths = [6, 0.24, 0.36, 0.28, 0.12].map((share) => (share > 1 ? share : Math.floor(room * share)));
  return texts.map((text, place) => cell(text, widths[place] ?? 0));
}
