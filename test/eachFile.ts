/** Loaded before each file of tests. A worker runs many of them, so each must leave the process as it found it. */
import { afterAll, expect, vi } from 'vitest';
import { colourInk } from './screen.ts';

// The second that the framework waits is too short for a busy machine. Once in a worker, which runs many files.
if (!Object.hasOwn(vi, 'isPatient')) {
  const patient = { timeout: 30_000 };
  const { waitFor, waitUntil } = vi;
  const longer = (options: number | object = patient) =>
    typeof options === 'number' ? options : { ...patient, ...options };
  Object.assign(vi, {
    isPatient: true,
    waitFor: ((act, options) => waitFor(act, longer(options))) as typeof waitFor,
    waitUntil: ((act, options) => waitUntil(act, longer(options))) as typeof waitUntil,
  });
}

if (process.env.SKYDECK_RECORD) await import('./record.ts');

const shared = () => ({
  folder: process.cwd(),
  env: { ...process.env },
  timers: vi.isFakeTimers() ? 'fake' : 'real',
  servers: process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length,
});

const before = shared();
await colourInk(0);

afterAll(async () => {
  vi.unstubAllEnvs();
  // A server that was closed is gone a turn of the event loop later.
  await vi.waitFor(() => expect(shared(), 'what a file of tests leaves behind').toEqual(before), { timeout: 5000 });
});
