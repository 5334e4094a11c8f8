import { type Figure, median } from './figures.ts';
import { type Api, cpuMs, holds, openSkydeck, residentMb } from './programs.ts';
import { openSession, pause, type Session } from './session.ts';

const idleSeconds = 60;

/**
 * Measures a list for a minute without keys.
 * @param goal percent of a processor core
 */
export async function idle(session: Session, when: string, goal?: string): Promise<Figure[]> {
  const [bytes, cpu] = [session.bytes, cpuMs(session.pid)];
  await pause(idleSeconds * 1000);
  return [
    {
      measure: `Sent in ${idleSeconds} s while ${when}`,
      value: session.bytes - bytes,
      unit: 'bytes',
      goal: goal && 'near 0',
    },
    {
      measure: `CPU in ${idleSeconds} s while ${when}`,
      value: (cpuMs(session.pid) - cpu) / (idleSeconds * 10),
      unit: '%',
      goal,
    },
  ];
}

/** Resident memory with everything loaded, and after lists have been read again and again. */
export async function memory(api: Api, home: string, count: number): Promise<Figure[]> {
  const bare = openSession(process.execPath, ['-e', "setInterval(()=>{},1e6);process.stdout.write('on')"], {
    PATH: process.env.PATH,
  });
  await bare.waitFor('on');
  const floor = { value: residentMb(bare.pid), of: 'bare Node, MB' };
  await bare.close();
  const loaded = openSkydeck(api, home, ['servers']);
  await loadServers(loaded, count);
  const servers = await residentAtRest(loaded);
  await loadEvents(loaded);
  const events = await residentAtRest(loaded);
  await loaded.close();
  const polling = openSkydeck(api, home, ['--refresh', '1', 'servers']);
  await loadServers(polling, count);
  await loadEvents(polling);
  const polled: number[] = [];
  for (let time = 0; time < 2; time++) {
    await pause(45_000);
    polled.push(residentMb(polling.pid));
  }
  await polling.close();
  const [once = Number.NaN, twice = Number.NaN] = polled;
  return [
    { measure: `Resident memory with ${count} servers`, value: servers, unit: 'MB', floor },
    { measure: `Resident memory with as many events besides`, value: events, unit: 'MB', floor, goal: '125' },
    { measure: 'Resident memory after 45 s of reading both every second', value: once, unit: 'MB', floor },
    {
      measure: 'Resident memory after 45 s more of it',
      value: twice,
      unit: 'MB',
      floor: { value: once, of: 'before, MB' },
      goal: 'bounded',
    },
  ];
}

/** The median resident size within some seconds, in MB, as garbage collection makes it go up and down. */
async function residentAtRest({ pid }: Session): Promise<number> {
  const readings: number[] = [];
  for (let reading = 0; reading < 7; reading++) {
    await pause(2000);
    readings.push(residentMb(pid));
  }
  return median(readings);
}

const loadServers = (session: Session, count: number) => session.waitFor(holds('Servers', count));

async function loadEvents(session: Session): Promise<void> {
  for (const key of ':events') await session.ask(key, 50);
  await session.ask('enter', 100);
  await session.waitFor((text) => /^ Events\s+\d+\D\d{3}(?! of)/m.test(text));
}
