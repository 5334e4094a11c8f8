/**
 * Whatever of Node's file system would wait for a real disk is done at once, in its own turn of the simulation: its order
 * would be another one in each run. Import this before anything that takes hold of it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { frameNow, type Process } from './clock.ts';

const { fdatasync: realSync, read: realRead, openSync: realOpen, closeSync: realClose } = fs;

/** The open files of the processes that have any. */
const open = new Map<number, Process>();

/** Closes the files of a process that has ended, as the system does. */
export function closeFilesOf(process: Process): void {
  for (const [descriptor, owner] of open) if (owner === process) fs.closeSync(descriptor);
}

type Done = (error: Error | null) => void;

const inTurn = (run: () => void): void => void setImmediate(run);

Object.assign(fs, {
  openSync: (...args: Parameters<typeof realOpen>) => {
    const descriptor = realOpen(...args);
    const process = frameNow()?.process;
    if (process) open.set(descriptor, process);
    return descriptor;
  },
  closeSync: (descriptor: number) => {
    open.delete(descriptor);
    realClose(descriptor);
  },
  /** Nobody pulls the plug of this machine: what was written is there. */
  fdatasync: (descriptor: number, done: Done) => {
    if (!frameNow()) return realSync(descriptor, done);
    inTurn(() => done(null));
  },
  read: Object.assign((...args: Parameters<typeof realRead>) => realRead(...args), {
    [promisify.custom]: (descriptor: number, buffer: Buffer, offset: number, length: number, position: number) => {
      if (!frameNow()) return promisify(realRead)(descriptor, buffer, offset, length, position);
      const bytesRead = fs.readSync(descriptor, buffer, offset, length, position);
      return new Promise((resolve) => inTurn(() => resolve({ bytesRead, buffer })));
    },
  }),
});
syncBuiltinESMExports();
