/**
 * A scripted partner for Customer, as a fetch handler: a CRM that is pushed to, or an Ordering Application that is
 * pulled from. It shares no code with the product, records every call, and replies as the test says.
 */
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'
import { createScriptedHost, hostManifest, type Json, type ScriptedHost } from './scripted-host.ts'

/** Operations that the partner declares by default. */
export const allCustomerOperations = [
  'listCustomers',
  'upsertCustomers',
  'listLeads',
  'upsertLeads',
  'listOrders',
  'upsertOrders',
  'getOrderById',
  'listReviews',
  'createReviews',
  'getReviewById',
  'receiveCustomerEvent',
]

/** Its calls are named by their paths. */
export interface CustomerPartner
  extends HostSession, Pick<ScriptedHost<string>, 'calls' | 'of' | 'script'> {
  /** The received events, without envelope. */
  readonly events: () => readonly Json[]
}

export interface CustomerPartnerOptions extends HostSessionOptions {
  /** The role of the scripted partner. */
  readonly plays: 'crm' | 'ordering-application'
  readonly mode?: 'push' | 'pull' | 'hybrid'
  /** Fields that override its Customer block; no block when null. */
  readonly declares?: Json | null
  /** Additional capabilities. */
  readonly beside?: readonly Json[]
}

export async function openCustomerPartner(
  options: CustomerPartnerOptions,
): Promise<CustomerPartner> {
  const { plays, mode, declares = {}, beside = [], subject, counterparts, ...others } = options
  const own = plays === 'crm' ? 'ordering-application' : 'crm'
  const base = `http://${plays}.test`
  const block = {
    name: 'customer',
    role: 'RECEIVER',
    endpoint: base,
    operations: allCustomerOperations,
    supportedOperations: allCustomerOperations,
    ...declares,
  }
  const partner = createScriptedHost<string>({
    operations: {},
    nameOf: (path) => path,
    manifest: () => hostManifest('by-hand', [...(declares === null ? [] : [block]), ...beside]),
    now: () => host.session.facts().at(-1)?.at ?? 0,
    reply: ({ method, path }) =>
      method === 'GET'
        ? { status: 200, body: { items: [], page: 1, total: 0 } }
        : { status: path.startsWith('/webhooks/') ? 204 : 202 },
  })
  const host = await openHostSession(own, {
    listen: false,
    ...others,
    only: [own],
    capabilities: { indoor: false, logistics: false, loyalty: false, ...others.capabilities },
    subject: { ...subject, role: plays },
    counterparts: {
      ...counterparts,
      ...(mode ? { crm: { ...counterparts?.crm, mode } } : {}),
    },
    handler: partner.fetch,
  })

  return {
    ...host,
    ...partner,
    events: () =>
      partner.calls.flatMap(({ json }) => ('event' in json ? [json['event'] as Json] : [])),
  }
}
