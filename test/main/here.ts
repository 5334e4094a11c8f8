import { EventEmitter } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { run } from '../../src/program/run.ts';
import type { Ended } from './program.ts';

/** An output that fails once it has taken so many lines. */
interface Broken {
  code: 'EPIPE' | 'ENOSPC';
  errno: number;
  after: number;
}

/** Takes what is printed, as a pipe does. */
class Taken extends Writable {
  readonly fd: number;
  readonly #broken: Broken | undefined;
  text = '';

  constructor(fd: number, broken?: Broken) {
    super({ decodeStrings: false });
    this.fd = fd;
    this.#broken = broken;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const { code, errno, after } = this.#broken ?? { after: Number.POSITIVE_INFINITY };
    const isBroken = this.text.split('\n').length > after;
    if (!isBroken) this.text += chunk;
    done(isBroken ? Object.assign(new Error(code), { code, errno }) : undefined);
  }
}

/**
 * Runs the program from its sources in this process until it ends, without a terminal; to start the bundled one costs ten
 * times as much. Not with `--demo`, nor where signals or the end of the process count.
 */
export async function skydeckHere(args: readonly string[], env: NodeJS.ProcessEnv, broken?: Broken): Promise<Ended> {
  // It is no file, and nothing is written to it.
  const fd = openSync('/dev/null', 'w');
  const [stdout, stderr] = [new Taken(fd, broken), new Taken(fd)];
  const { execPath, version, platform, arch, pid } = process;
  const exit = (code: number) => {
    throw new Error(`the program ends this process with ${code}`);
  };
  const host = Object.assign(new EventEmitter(), {
    ...{ stdin: { isTTY: false }, stdout, stderr, argv: [execPath, 'skydeck', ...args], env },
    ...{ execPath, version, platform, arch, pid, exit },
    kill: process.kill.bind(process),
    geteuid: process.geteuid?.bind(process),
  });
  try {
    const code = await run(host as unknown as NodeJS.Process, {});
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    closeSync(fd);
  }
}
