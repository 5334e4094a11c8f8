import type { Row } from '../../resources/resource.ts';
import { answers, assignFields, type Call } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collectionRoutes, needUniqueLabel } from '../engine/collection.ts';
import { type Credential, seedCredentials, seedSshKey } from './credentials.seed.ts';
import { servicesOf } from './monitoring.ts';

/** The credentials by id. */
export const credentialsOf = ({ options }: Cloud): Map<number, Credential> => seedCredentials(options.time);

const { find, routes } = collectionRoutes<Credential>({ rows: (cloud) => cloud.of(credentialsOf), id: 'credentialId' });

function create({ body }: Call, cloud: Cloud): Credential {
  needUniqueLabel(cloud.of(credentialsOf).values(), body.label);
  const credential: Credential = { id: cloud.nextId(), label: String(body.label), last_decrypted: null };
  cloud.of(credentialsOf).set(credential.id, credential);
  return credential;
}

function edit(call: Call, cloud: Cloud): Credential {
  const credential = find(call, cloud);
  needUniqueLabel(cloud.of(credentialsOf).values(), call.body.label, credential);
  assignFields(credential, call.body, 'label');
  return credential;
}

/** Revoke deletes a credential, and no service names it any more. */
function revoke(call: Call, cloud: Cloud): Row {
  const { id } = find(call, cloud);
  cloud.of(credentialsOf).delete(id);
  for (const service of cloud.of(servicesOf).values()) {
    service.credentials = service.credentials.filter((one) => one !== id);
  }
  return {};
}

/** Managed credentials (document 3, 4.4); what they hold is never answered, so it is not kept. */
export const managedCredentials = answers('managed-credentials', {
  ...routes,
  create,
  edit,
  revoke,
  update: (call, cloud) => {
    find(call, cloud);
    return {};
  },
});

/** The SSH public key of managed monitoring (document 3, 4.4). */
export const managedSshKey = answers('managed-ssh-key', {
  view: (_call, { options }) => ({ ssh_key: seedSshKey(options.seed) }),
});
