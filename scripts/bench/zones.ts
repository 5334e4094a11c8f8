import { type Figure, median } from './figures.ts';
import { cpuDuring, hidePreview, holds, openSkydeck, residentMb, startZonesApi } from './programs.ts';

const [zones, each] = [200, 200];
/** At the pace of single rows all zones take more than three minutes. */
const readMs = 300_000;
const rounds = 40;

/** The records of all domains: how soon the first are there, and what keys and memory cost once all of them are. */
export async function manyZones(home: string): Promise<Figure[]> {
  const api = await startZonesApi(zones, each);
  const session = openSkydeck(api, home, ['records']);
  await session.waitFor(/zone-1\.example +A +host-0/);
  const firstMs = performance.now() - session.startedAt;
  await session.waitFor(holds('Records', zones * each), readMs);
  await hidePreview(session);
  await session.quiet(5000);
  const times: number[] = [];
  const cpu = await cpuDuring(session, async () => {
    for (let round = 0; round < rounds; round++)
      times.push((await session.ask(round % 4 === 3 ? 'pageDown' : 'down', 100)).firstMs ?? Number.NaN);
  });
  const memory = residentMb(session.pid);
  await session.close();
  api.close();
  const of = `${zones * each} records of ${zones} zones`;
  return [
    { measure: `Start to the first of ${of}`, value: firstMs, unit: 'ms' },
    { measure: `Key to first byte, median, ${of}`, value: median(times), unit: 'ms', goal: '12' },
    { measure: `CPU for a key, with all that follows, ${of}`, value: cpu / rounds, unit: 'ms', goal: '15' },
    { measure: `Resident memory after it, ${of}`, value: memory, unit: 'MB' },
  ];
}
