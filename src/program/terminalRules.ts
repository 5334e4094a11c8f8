import type { Capabilities } from '../terminal/capabilities.ts';
import { UsageError } from './rules.ts';

/** Throws a UsageError where nothing can be drawn, or where a dashboard gets no keys. */
export function checkTerminal(
  { stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>,
  { dumb }: Pick<Capabilities, 'dumb'>,
  isWall: boolean,
): void {
  if (dumb) {
    throw new UsageError(
      'A terminal with TERM=dumb cannot draw a full screen; set TERM to its type, or use skydeck snapshot.',
    );
  }
  if (!stdout.isTTY) {
    throw new UsageError(
      'Standard output is not a terminal, so there is nothing to draw on; use ssh -t to get one, or skydeck snapshot.',
    );
  }
  if (!stdin.isTTY && !isWall) {
    throw new UsageError(
      'Standard input is not a terminal, so there are no keys to read; use skydeck snapshot instead.',
    );
  }
}
