import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Settings } from '../settings.ts';
import type { KeptOf } from './keptFile.ts';

/** The file and the account that lists are kept for; found out when asked for, as a fingerprint takes 5 ms of a start. */
export interface KeptName {
  readonly file: string;
  readonly of: KeptOf;
  /** Tells cheaply that nothing is kept. */
  isNone?(): boolean;
}

/**
 * The names of the file and of the account that lists of these settings are kept for; undefined with the demo, whose
 * data end with it. A token that a program prints may be another one each time, so that program stands for it.
 */
export function keptOf({ profile, account, own }: Settings, directory: string): KeptName | undefined {
  if (!account) return undefined;
  const { baseUrl, token } = account;
  const isPrinted = own?.token_command !== undefined && token.source.includes('token command');
  const secret = isPrinted ? JSON.stringify(own.token_command) : token.value;
  let known: string | undefined;
  const fingerprint = () => (known ??= fingerprintOf(`${baseUrl}\n${secret}`));
  const name = encodeURIComponent(profile);
  return {
    // Without a profile, address and token alone say which account it is.
    get file() {
      return join(directory, `${own ? name : `${name} ${fingerprint()}`}.kept`);
    },
    get of() {
      return { profile, baseUrl, fingerprint: fingerprint() };
    },
    isNone: () => !namesIn(directory).some((one) => one.startsWith(own ? `${name}.` : `${name} `)),
  };
}

/** A short name of a text from which it cannot be guessed. */
function fingerprintOf(text: string): string {
  const { hash } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return hash('sha256', text).slice(0, 16);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
