import type { Row } from '../../resources/resource.ts';
import { answers, type Call, idIn } from '../engine/answer.ts';
import type { Cloud } from '../engine/cloud.ts';
import { collection } from '../engine/collection.ts';
import { invalid, notFound } from '../engine/refusal.ts';
import { type Credential, seedCredentials, seedSshKey } from './credentials.seed.ts';
import { servicesOf } from './monitoring.ts';

/** The credentials by id. */
export const credentialsOf = ({ options }: Cloud): Map<number, Credential> => seedCredentials(options.time);

function asked(call: Call, cloud: Cloud): Credential {
  const credential = cloud.of(credentialsOf).get(idIn(call, 'credentialId'));
  if (!credential) throw notFound();
  return credential;
}

function needFreeLabel(cloud: Cloud, label: unknown, except?: Credential): void {
  const taken = [...cloud.of(credentialsOf).values()].some((one) => one.label === label && one !== except);
  if (taken) throw invalid('label', 'Label must be unique');
}

function create({ body }: Call, cloud: Cloud): Credential {
  needFreeLabel(cloud, body.label);
  const credential: Credential = { id: cloud.nextId(), label: String(body.label), last_decrypted: null };
  cloud.of(credentialsOf).set(credential.id, credential);
  return credential;
}

function edit(call: Call, cloud: Cloud): Credential {
  const credential = asked(call, cloud);
  const { label } = call.body;
  needFreeLabel(cloud, label, credential);
  if (typeof label === 'string') credential.label = label;
  return credential;
}

/** Revoke deletes a credential, and no service names it any more. */
function revoke(call: Call, cloud: Cloud): Row {
  const { id } = asked(call, cloud);
  cloud.of(credentialsOf).delete(id);
  for (const service of cloud.of(servicesOf).values()) {
    service.credentials = service.credentials.filter((one) => one !== id);
  }
  return {};
}

/** Managed credentials (document 3, 4.4); what they hold is never answered, so it is not kept. */
export const managedCredentials = answers('managed-credentials', {
  list: (call, cloud) => collection([...cloud.of(credentialsOf).values()], call),
  view: asked,
  create,
  edit,
  revoke,
  update: (call, cloud) => {
    asked(call, cloud);
    return {};
  },
});

/** The SSH public key of managed monitoring (document 3, 4.4). */
export const managedSshKey = answers('managed-ssh-key', {
  view: (_call, { options }) => ({ ssh_key: seedSshKey(options.seed) }),
});
