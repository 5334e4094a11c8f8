/** The names by which descriptions point to each other and to what is drawn for them. */

/** The name of a resource. */
export type ResourceName =
  | 'account'
  | 'audit'
  | 'backups'
  | 'buckets'
  | 'configs'
  | 'costs'
  | 'disks'
  | 'domains'
  | 'entity-transfers'
  | 'events'
  | 'images'
  | 'invoices'
  | 'kernels'
  | 'managed-contacts'
  | 'managed-credentials'
  | 'managed-issues'
  | 'managed-server-settings'
  | 'managed-services'
  | 'managed-ssh-key'
  | 'managed-statistics'
  | 'nodebalancer-configs'
  | 'nodebalancer-nodes'
  | 'nodebalancers'
  | 'object-clusters'
  | 'object-keys'
  | 'object-storage'
  | 'objects'
  | 'problems'
  | 'records'
  | 'regions'
  | 'replies'
  | 'requests'
  | 'servers'
  | 'server-types'
  | 'stackscripts'
  | 'tagged'
  | 'tags'
  | 'tickets'
  | 'volumes';

/** A screen in place of a tab, for what no description can hold. */
export type ScreenName =
  | 'accountPromotions'
  | 'accountSpending'
  | 'balancerTree'
  | 'graphs'
  | 'objects'
  | 'objectTransfer'
  | 'serverTransfer'
  | 'stackscript'
  | 'ticketConversation'
  | 'zoneFile';

/** A dialog in place of the form of an action. */
export type DialogName = 'rebuildBalancerConfig' | 'transferByToken';

/** A screen in place of a list. */
export type ListScreenName = 'problems' | 'journal';
