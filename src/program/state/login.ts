import { crc32 } from 'node:zlib';
import type { RunSettings } from '../settings.ts';

/** A profile with the address and the token that it has now. */
export interface Login {
  profile: string;
  /** The base URL of the API. */
  address: string;
  /** Tells the tokens of a profile apart; of its 32 bits nobody can guess one. To load a hash would take 10 ms of a start. */
  fingerprint: string;
}

/**
 * The login of these settings; undefined with the demo, whose data end with it. A token that a program prints may be
 * another one each time, so that program stands for it.
 */
export function loginOf({
  profile,
  account,
  own,
  demo,
}: Pick<RunSettings, 'profile' | 'account' | 'own' | 'demo'>): Login | undefined {
  if (!account || demo) return undefined;
  const { baseUrl, token } = account;
  const isPrinted = own?.token_command !== undefined && token.source.includes('token command');
  const secret = isPrinted ? JSON.stringify(own.token_command) : token.value;
  return { profile, address: baseUrl, fingerprint: crc32(secret).toString(16).padStart(8, '0') };
}
