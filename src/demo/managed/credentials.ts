import type { Cloud } from '../engine/cloud.ts';
import { assignFields, type Call, collection, handlersFor, needUniqueLabel } from '../engine/handler.ts';
import { type Credential, credentialsOf, seedSshKey, servicesOf } from './services.seed.ts';

const { handlers } = collection<Credential>('managed-credentials', {
  rows: credentialsOf,
  onRow: { edit, revoke, update: () => {} },
});

function create({ body }: Call, cloud: Cloud): Credential {
  needUniqueLabel(credentialsOf(cloud).values(), body.label);
  const credential: Credential = { id: cloud.nextId(), label: String(body.label), last_decrypted: null };
  credentialsOf(cloud).set(credential.id, credential);
  return credential;
}

function edit(credential: Credential, call: Call, cloud: Cloud): Credential {
  needUniqueLabel(credentialsOf(cloud).values(), call.body.label, credential);
  assignFields(credential, call.body, 'label');
  return credential;
}

/** Revoke deletes a credential, and no service names it any more. */
function revoke({ id }: Credential, _call: Call, cloud: Cloud): void {
  credentialsOf(cloud).delete(id);
  for (const service of servicesOf(cloud).values())
    service.credentials = service.credentials.filter((one) => one !== id);
}

/** Managed credentials (document 3, 4.4); what they hold is never answered, so it is not kept. */
export const managedCredentials = handlers({ create });

/** The SSH public key of managed monitoring (document 3, 4.4). */
export const managedSshKey = handlersFor('managed-ssh-key', {
  view: (_call, { options }) => ({ ssh_key: seedSshKey(options.seed) }),
});
