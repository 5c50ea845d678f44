/**
 * The calls that a session makes first to the user's service, by its role and channel, in a form that leaves nothing behind
 * there: reads, and bodies that no correct service takes (TRN-STA-04).
 */
import { compact } from '../../base/compact.ts'
import type { PartnerPair } from '../../partners/counterparts/partners.ts'
import { mayCallPartner, webhookReadiness } from '../../engine/announcements/receiver.ts'
import { type CallIntent, isPollOperation } from '../../engine/calls/call.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import { flowFallbacks } from '../../engine/customer/fallback.ts'
import { callableOperation, pullOperations, pushOperations } from '../../engine/customer/partner.ts'
import { applicationSide, crmSide } from '../../engine/customer/side.ts'
import type { Engine } from '../../engine/engine.ts'
import { isChannelExcluded } from '../../engine/orders/receiver.ts'
import { servedOperations } from '../../engine/served-operations.ts'
import { partnerOf } from '../../engine/world.ts'
import type { CatalogueRow, OperationId } from '../../protocol/catalogue.ts'
import { batchKeys, ingestBodyOf } from '../../protocol/customer/batch.ts'
import { featureSwitchOf, type WebhookName } from '../../protocol/operation.ts'

export interface FirstCall {
  readonly intent: CallIntent
  /** The operation that is called where this one answers 404 (CUS-TEN-03). */
  readonly fallback?: OperationId
  /** What it is called in a finding. */
  readonly label: string
  /** Without it the session does not get on. */
  readonly isEssential: boolean
  /** The capability switch that does without it. */
  readonly capability?: string
  /** Its body is none that a correct service takes. */
  readonly isRefusable: boolean
  readonly isWebhook: boolean
}

interface FirstCallContext {
  readonly engine: Pick<Engine, 'world' | 'settings'>
  readonly webhooks: Readonly<Record<WebhookName, string>>
}

/** Of each role of a service, the call without which nothing happens. */
const essentialOperations: ReadonlySet<OperationId> = new Set([
  'receiveOrderEvent',
  'receiveOrderEventV1',
  'pollingEvents',
  'pollEventsV1',
  'checkDeliveryAvailability',
  'upsertCustomers',
  'ingestCustomer',
])

/** A JSON object that is no event and no request, and that names no order. */
const emptyObject = {}

type RequestParts = Pick<CallIntent, 'body' | 'query'>

/** The request of a first call; undefined where the session does not make it. */
function requestOf(
  row: CatalogueRow,
  { from, to }: PartnerPair,
  { world, settings }: FirstCallContext['engine'],
): RequestParts | undefined {
  const { id, webhook, capability } = row
  const { customer } = settings.conduct
  if (webhook !== undefined) {
    const isCalled =
      webhookReadiness({ from, to, operation: id }, world) === 'call' &&
      (webhook !== 'orders' || !isChannelExcluded('webhook', world)) &&
      (webhook !== 'delivery' || settings.trackingMode === 'push') &&
      (webhook !== 'customer' || customer.eventTarget === 'webhook')
    return isCalled ? { body: emptyObject } : undefined
  }
  if (!mayCallPartner(from, to, capability, world)) return undefined
  if (isPollOperation(id)) return {}
  if (id === 'checkDeliveryAvailability') return { body: emptyObject }
  const context = { world, settings }
  if (from === applicationSide.role && settings.customerMode !== 'pull')
    return id === callableOperation(applicationSide, ['push', pushOperations.customer], context)
      ? { body: ingestBodyOf([], batchKeys.customer, customer) }
      : undefined
  return from === crmSide.role &&
    id === callableOperation(crmSide, ['pull', pullOperations.customer], context)
    ? { query: { page: '1', pageSize: '1' } }
    : undefined
}

function firstCallOf(
  row: CatalogueRow,
  { from, to }: PartnerPair,
  request: RequestParts,
): FirstCall {
  const { id, webhook } = row
  const capability = featureSwitchOf(row)
  const fallback = flowFallbacks.get(id)
  return {
    intent: { from, to, operation: id, attempt: 1, ...request },
    label: webhook === undefined ? 'call' : `webhook ${webhook}`,
    isEssential: essentialOperations.has(id),
    ...compact({ capability, fallback }),
    isRefusable: request.body !== undefined,
    isWebhook: webhook !== undefined,
  }
}

/** What a counterpart without another first call does: it reads the merchants, once it has read a manifest. */
const merchantsCall = (
  { from, to }: PartnerPair,
  { world }: FirstCallContext['engine'],
): readonly FirstCall[] =>
  to !== 'software-service' || isManifestRead(partnerOf(world, from, to)?.manifest)
    ? [
        {
          intent: { from, to, operation: 'listMerchants', attempt: 1 },
          label: 'token',
          isEssential: to !== 'software-service',
          isRefusable: false,
          isWebhook: false,
        },
      ]
    : []

/** Those of one of our roles at the service, after they have met. */
export function firstCalls(
  pair: PartnerPair,
  { engine, webhooks }: FirstCallContext,
): readonly FirstCall[] {
  const { from, to } = pair
  if (partnerOf(engine.world, from, to)?.state !== 'accepted') return []
  const calls = servedOperations(to, engine.settings, webhooks).flatMap((row) => {
    const request = row.callers.includes(from) && requestOf(row, pair, engine)
    return request ? [firstCallOf(row, pair, request)] : []
  })
  return calls.length > 0 ? calls : merchantsCall(pair, engine)
}
