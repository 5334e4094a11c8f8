import { pointerOf, type Role, type Theme } from '../../components/theme.ts';
import type { BalancerNode } from '../../resources/networking/nodeText.ts';
import { type Fate, fateOf, type PlannedNode } from '../../resources/networking/rebuildPlan.ts';
import { cell } from '../../text/cells.ts';

const fates: Readonly<Record<Fate, { word: string; role: Role }>> = {
  keep: { word: 'keep', role: 'dim' },
  update: { word: 'update', role: 'busy' },
  delete: { word: 'delete', role: 'bad' },
  create: { word: 'create', role: 'good' },
};

/** The column titles of `plannedNodeLine`. */
export const plannedNodeHeader = (theme: Theme, width: number): string =>
  theme.paint('dim', `   ${cellsOf(['', 'LABEL', 'ADDRESS', 'MODE', 'WEIGHT'], width).join('  ')}`);

/** A planned node as one line: its fate and its values, `old → new` where they change. */
export function plannedNodeLine(
  theme: Theme,
  node: PlannedNode,
  existing: readonly BalancerNode[],
  isCursor: boolean,
  width: number,
): string {
  const fate = fateOf(node, existing);
  const before = existing.find(({ id }) => id === node.id);
  const fieldText = (name: 'label' | 'address' | 'mode' | 'weight') =>
    fate === 'update' && before && String(before[name] ?? '') !== String(node[name])
      ? `${before[name] ?? ''} ${theme.glyphs === 'ascii' ? '>' : '→'} ${node[name]}`
      : String(node[name]);
  const { word, role } = fates[fate];
  const [first = '', ...rest] = cellsOf(
    [word, fieldText('label'), fieldText('address'), fieldText('mode'), fieldText('weight')],
    width,
  );
  const pointer = pointerOf(theme, isCursor);
  const text = rest.join('  ');
  return `${pointer}  ${theme.paint(role, first)}  ${isCursor ? theme.paint('cursor', text) : theme.paint(fate === 'delete' ? 'dim' : 'plain', text)}`;
}

/** Cells of an IPv4 address with its port. */
const minAddressWidth = 21;

/** The cells of a line: fate, label, address, mode and weight. */
function cellsOf(texts: readonly string[], width: number): readonly string[] {
  const room = Math.max(40, width - 3 - 6 - 4 * 2);
  const address = Math.max(minAddressWidth, Math.floor(room * 0.38));
  const weight = Math.max(6, Math.floor(room * 0.12));
  const label = Math.floor((room - address - weight) * 0.5);
  const widths = [6, label, address, room - address - weight - label, weight];
  return texts.map((text, index) => cell(text, widths[index] ?? 0));
}
