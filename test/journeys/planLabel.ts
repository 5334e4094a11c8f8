import type { Skydeck } from './skydeck.ts';

/** Plans another label for a volume. */
export async function planLabel(skydeck: Skydeck, from: string, to: string): Promise<void> {
  await skydeck.pointAt(from);
  await skydeck.press('e');
  await skydeck.waitFor(`── Edit ${from}`);
  await skydeck.fill('Label', to);
  await skydeck.press('ctrl-a');
  await skydeck.waitFor(`is in the plan: Edit ${from}`);
  await skydeck.waitFor((frame) => !frame.includes(`── Edit ${from}`));
}
