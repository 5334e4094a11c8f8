import { expect, test } from 'vitest';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { either, integer, list, object, type Shape, text } from './shapes.ts';
import { serversOf } from './subjects.ts';

/** The server that exists longest, so that there is something to tell of the last months. */
const someServer = async (cloud: Cloud) => {
  const [oldest] = (await serversOf(cloud)).toSorted((a, b) => a.created.localeCompare(b.created));
  return { serverId: oldest?.id ?? 0 };
};

const lastMonth = async (cloud: Cloud) => ({ ...(await someServer(cloud)), year: 2024, month: 4 });

type Point = readonly [number, number];

interface Series {
  cpu: Point[];
  io: { io: Point[]; swap: Point[] };
  netv4: Record<'in' | 'out' | 'private_in' | 'private_out', Point[]>;
}

const point: Shape = (value, path = 'point') =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) ? [] : [`${path}: not [ms, reading]`];

const points = list(point);
const net = object({ in: points, out: points, private_in: points, private_out: points });
const series = { cpu: points, io: object({ io: points, swap: points }), netv4: net, netv6: net };

/** Document 2, 2.5 shows the series bare; live answers have them in `data`. */
const statistics = either(object({ title: text, ...series }), object({ title: text, data: object(series) }));

const month = object({ bytes_in: integer, bytes_out: integer, bytes_total: integer });

describeArea(
  'statistics and transfer (document 2, 4.1)',
  {
    'GET /v4/server/instances/{serverId}/stats': { answers: statistics, params: someServer },
    'GET /v4/server/instances/{serverId}/stats/{year}/{month}': { answers: statistics, params: lastMonth },
    'GET /v4/server/instances/{serverId}/transfer': {
      answers: object({ billable: integer, quota: integer, used: integer }),
      params: someServer,
    },
    'GET /v4/server/instances/{serverId}/transfer/{year}/{month}': { answers: month, params: lastMonth },
  },
  (cloud) => {
    const base = async () => `/v4/server/instances/${(await someServer(cloud())).serverId}`;
    const read = async (path: string) => {
      const body = await cloud().get<Series & { data?: Series }>((await base()) + path);
      return body.data ?? body;
    };
    const status = async (path: string) => (await cloud().ask('GET', (await base()) + path)).status;
    const dayMs = 86_400_000;

    test('the past 24 hours, in order, every 5 minutes', async () => {
      const { cpu, io, netv4 } = await read('/stats');
      for (const line of [cpu, io.io, io.swap, netv4.in, netv4.out]) {
        const times = line.map(([time]) => time);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times[0]).toBeGreaterThanOrEqual(cloud().now - dayMs - 300_000);
        expect(times.at(-1)).toBeLessThanOrEqual(cloud().now);
        expect(times.at(-1)).toBeGreaterThan(cloud().now - 900_000);
        expect(times.length).toBeGreaterThan(280);
        expect(line.every(([, reading]) => reading >= 0)).toBe(true);
      }
      expect(await read('/stats')).toMatchObject({ cpu });
    });

    test('a past month lies within that month, the current one within the past 30 days', async () => {
      const { cpu } = await read('/stats/2024/4');
      expect(cpu.every(([time]) => time >= Date.UTC(2024, 3, 1) && time < Date.UTC(2024, 4, 1))).toBe(true);
      expect(cpu.length).toBeGreaterThan(100);
      const current = await read('/stats/2024/5');
      expect(current.cpu.every(([time]) => time >= cloud().now - 31 * dayMs && time <= cloud().now)).toBe(true);
      expect(current.cpu[0]?.[0]).toBeLessThan(Date.UTC(2024, 4, 1));
    });

    test('a month tells the same load of its last day as the day does', async () => {
      const mean = (line: readonly Point[]) => line.reduce((sum, [, reading]) => sum + reading, 0) / line.length;
      const running = (await serversOf(cloud())).filter(({ label }) => label.startsWith('web-'))[0]?.id;
      const statsOf = async (path: string) => {
        const body = await cloud().get<Series & { data?: Series }>(`/v4/server/instances/${running}/stats${path}`);
        return body.data ?? body;
      };
      const [today, current] = [await statsOf(''), await statsOf('/2024/5')];
      for (const series of [({ cpu }: Series) => cpu, ({ netv4 }: Series) => netv4.out]) {
        const points = series(current).slice(-10);
        const [[first = 0] = [], [last = 0] = []] = [points[0], points.at(-1)];
        const same = series(today).filter(([time]) => time > first - 7_200_000 && time <= last);
        expect(Math.abs(mean(points) / mean(same) - 1)).toBeLessThan(0.05);
      }
    });

    test.each(['stats', 'transfer'])('%s of a month from 1 to 12', async (what) => {
      for (const [at, expected] of [
        ['2024/0', 400],
        ['2024/1', 200],
        ['2024/2', 200],
        ['2023/11', 200],
        ['2023/12', 200],
        ['2023/13', 400],
        ['2023/may', 400],
        ['last/5', 400],
      ] as const)
        expect([at, await status(`/${what}/${at}`)]).toEqual([at, expected]);
    });

    test('transfer of a year from 2000 to 2037, never of the future', async () => {
      for (const [at, expected] of [
        ['1999/12', 400],
        ['2000/1', 200],
        ['2001/1', 200],
        ['2024/4', 200],
        ['2024/5', 200],
        ['2024/6', 400],
        ['2025/1', 400],
        ['2037/12', 400],
        ['2038/1', 400],
      ] as const)
        expect([at, await status(`/transfer/${at}`)]).toEqual([at, expected]);
    });

    test('what comes in and goes out is the total', async () => {
      const of = await cloud().get<Record<string, number>>(`${await base()}/transfer/2024/4`);
      expect(of.bytes_total).toBe(Number(of.bytes_in) + Number(of.bytes_out));
      expect(of.bytes_total).toBeGreaterThan(0);
    });
  },
);
