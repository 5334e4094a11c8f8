import { lackingWords } from '../../config/missingCommands.ts';
import { capitalized } from '../../text/words.ts';
import type { Thing } from './match.ts';

const lacking = `${lackingWords}; the provider's console has`;

/**
 * Words of the trade for what is called otherwise here; those that belong together have a dash. Behind `>` stands the label
 * of the thing of the palette to which they lead, behind `:` a clause about it, and behind `!` why they lead nowhere, as a
 * predicate.
 */
const synonyms = `
cost price monthly-cost cost-per-month > Costs
spend spending money charges bill > Spending of the account
payment payments pay paypal > Spending of the account : the documents have no payments; what is owed is here
card credit-card > Replace the credit card (deprecated)
promotions promo coupon voucher credit > Promotions of the account
receipt receipts tax taxes vat > Invoices
items invoice-items line-items > Invoices : the API does not tell their items; the provider's console has them
undo revert rollback > Take the last change back, then the one before ! is for changes that were sent from here; none is left
export csv print ! is done by skydeck snapshot AREA --format csv, and in a list by w
restore recover > Backups of which server? : a backup becomes a new server; the documents cannot restore it in place
backup enable-backups > Backups of which server? : they are turned on as a server is made; the documents have no other way
certificate cert ssl tls https renew > Replace the certificate of which NodeBalancer config? ! is at each port of a NodeBalancer
certificate cert ssl tls https > Upload a certificate for which bucket?
certificate cert ssl tls https renew expiry expires expired expiring > Configs of which NodeBalancer? : the certificate of a port stands at its config; the API tells no date on which one expires
users user new-user add-user create-user grants member team invite ! are ${lacking} them
logins login session ! are ${lacking} them
two-factor 2fa mfa ! is ${lacking} it
oauth-clients oauth ! are ${lacking} them
quotas quota limit limits ! are not told by this API; a support ticket asks for them
migrate move > Capture from a disk : the documents cannot move a server; an image of its disk is deployed elsewhere
move-zone move-domain zone-transfer axfr > Zone file of which domain? : skydeck dns plan makes the same zone in another account
console lish vnc > Show the console
shell ssh terminal > A shell on the server ! is offered where a server is under the cursor
dig nslookup propagation nameserver nameservers > Ask name servers ! is offered where a record is under the cursor
reboot restart > Reboot
boot start power-on > Boot
stop halt power-off poweroff off > Shut down which server?
rebuild reinstall > Rebuild as it was
rescue recovery > Boot which server into rescue?
clone copy duplicate > Clone
similar like-this > New server like which server? ! is done from a row: a, and there New … like this
upgrade downgrade scale flavor > Resize which server?
rename label > Edit which server?
create add launch deploy provision > New server
vm vms machine machines droplet droplets > Servers
block-storage > Volumes
template templates > Images
access-key access-keys api-key api-keys > Object storage keys
silence mute acknowledge > Problems : m there acknowledges one
outage outages > Regions
who > Events
who-changed who-did changed-by history > History of which server?
logs activity errors failures failed > Events : those that failed are found by status:failed
changes what-changed news yesterday last-night handover hand-over shift > Journal: Changed meanwhile : Events tell who did it
version versions old-version revision revisions > History of which StackScript? : the documents keep no older scripts; those changed from here are there
permissions rights access who-has-access > Object storage keys : users and their rights are ${lacking} them
unused orphans orphaned waste cleanup clean-up > Costs : Idle or off lists what is charged for and not used
open-tickets waiting reply support > Tickets
add-node new-node > Nodes of which NodeBalancer? : n there makes one
destroy remove terminate rm > Delete which server?
firewalls firewall new-firewall firewall-rule security-group open-port allow ! are ${lacking} them
vlan vpc network interface > Configs of which server? : VLANs are interfaces of a config
ip ipv4 ipv6 floating-ip address addresses > Servers : each has its addresses; the documents cannot add or move them
reverse-dns rdns ptr ! is ${lacking} it
loadbalancer load-balancer lb > NodeBalancers
transfer-pool pool > Costs : By area tells the transfer against the pool
bandwidth traffic > Transfer of which server?
cpu load metrics monitoring idle busiest > Fleet
graph chart statistics stats > Graphs of which server?
kubernetes k8s kube ! is ${lacking} it
databases database db mysql postgres ! are ${lacking} them
password reset-password root-password > Boot which server into rescue? : the documents set no root password; the rescue system can
tokens token api-token ! are ${lacking} them; that of this session comes from the configuration
upload iso > Upload an image file
upload object upload-object put > Objects of which bucket? : n there uploads a file
alert alarm threshold > Set alerts for which server?
uptime healthcheck ping > Managed services
maintenance > Events : the documents tell no maintenance ahead; events tell what happened
record mx txt cname > Records of which domain?
disk swap > Disks of which server?
manual docs documentation shortcuts > Keys
columns > Choose columns ! is offered in a list
sort ! is done by s in a list
compare diff ! is done in a list: mark rows by space, then v for their graphs or = for their fields
rolling one-by-one ! is asked by the question about several rows: one by one, or so many at a time
wall board ! is the command skydeck watch
settings preferences config > Reload the configuration ! lie in a file; skydeck config path names it
dark colour color dark-mode > Theme dark
`;

/**
 * The synonyms as things: of where each leads, else of its own, which says why it leads nowhere.
 * @param otherwise said where what a word leads to is not offered now
 */
export function synonymThings(thingsAt: (label: string) => Thing | undefined, otherwise: string): readonly Thing[] {
  const lines = synonyms.trim().split('\n');
  const things = lines.map((line, nth): Thing => {
    const [, words = '', to = '', says, lacks = otherwise] =
      /^([^>!]*?)(?: > ([^!]*?))?(?: : ([^!]*?))?(?: ! (.*))?$/.exec(line) ?? [];
    const names = words.split(' ');
    const thing = thingsAt(to) ?? thingsAt(`${to} which server?`);
    if (thing) return { ...thing, names, ...(says && { explains: says }) };
    const label = capitalized((names[0] ?? '').replaceAll('-', ' '));
    return { id: `synonym ${nth}`, label, names, kind: '', refusal: lacks, run: () => {} };
  });
  return things.toSorted((one, other) => Number(one.refusal !== undefined) - Number(other.refusal !== undefined));
}
