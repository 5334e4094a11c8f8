import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

/** Opens a NodeBalancer at its configs. */
export async function openConfigs(label: string, options: Pick<SkydeckOptions, 'demo'> = {}): Promise<Skydeck> {
  const skydeck = await openSkydeck({ ...options, columns: 118, rows: 40, place: { area: 'nodebalancers' } });
  await skydeck.waitFor('NodeBalancers  4');
  await skydeck.pointAt(label);
  await skydeck.press('enter');
  await skydeck.waitFor(`NodeBalancers › ${label}`);
  await skydeck.press('3');
  await skydeck.waitFor('\n NodeBalancer configs');
  return skydeck;
}
