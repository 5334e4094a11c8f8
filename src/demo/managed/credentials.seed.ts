import type { ManagedCredential } from '../../resources/managed/credentials.ts';
import { byId, perCloud, type Stored } from '../engine/cloud.ts';
import { noise } from '../engine/random.ts';
import { day, hour, timestamp } from '../engine/time.ts';

/** A credential; what it holds is never answered. */
export type Credential = Stored<ManagedCredential>;

/** The ids of the credentials there are at first, for the services that use them. */
export const credentialIds = { relay: 4101, database: 4102, console: 4103 };

/** The credentials by id. */
export const credentialsOf = perCloud(({ options: { time } }) =>
  byId<Credential>([
    { id: credentialIds.relay, label: 'mail relay', last_decrypted: timestamp(time - 71 * day) },
    { id: credentialIds.database, label: 'database, read only', last_decrypted: timestamp(time - 5 * day - 3 * hour) },
    { id: credentialIds.console, label: 'metrics console', last_decrypted: null },
  ]),
);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A public key of 4096 bits to look at; nobody has the private one. */
export function seedSshKey(seed: number): string {
  const random = Array.from({ length: 682 }, (_, place) => letters[Math.floor(noise(seed, place, 77) * 64)]).join('');
  return `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQ${random}== managed@example.com`;
}
