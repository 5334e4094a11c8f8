import { createRequire } from 'node:module';
import type { Settings } from '../settings.ts';

/** A profile with the address and the token that it has now. */
export interface Login {
  profile: string;
  /** The base URL of the API. */
  address: string;
  /** Of address and token, from which they cannot be guessed; found out when asked for, as that takes 5 ms of a start. */
  fingerprint(): string;
}

/**
 * The login of these settings; undefined with the demo, whose data end with it. A token that a program prints may be
 * another one each time, so that program stands for it.
 */
export function loginOf({ profile, account, own }: Pick<Settings, 'profile' | 'account' | 'own'>): Login | undefined {
  if (!account) return undefined;
  const { baseUrl, token } = account;
  const isPrinted = own?.token_command !== undefined && token.source.includes('token command');
  const secret = isPrinted ? JSON.stringify(own.token_command) : token.value;
  let known: string | undefined;
  const fingerprint = () => (known ??= fingerprintOf(`${baseUrl}\n${secret}`));
  return { profile, address: baseUrl, fingerprint };
}

function fingerprintOf(text: string): string {
  const { hash } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return hash('sha256', text).slice(0, 16);
}
