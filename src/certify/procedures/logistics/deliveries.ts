/**
 * Deliveries of a Delivery Platform under certification: created, read and moved by calls of an Ordering Application.
 */
import { compact } from '../../../core/base/compact.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { DeliveryStatus } from '../../../core/protocol/logistics/status.ts'
import { stableAddressOf } from '../../../core/partners/seed-data/stable-address.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import { type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { deliveryStatus } from '../../../core/rules/checks/logistics/delivery-assertions.ts'

/** How long the platform may take to designate a courier. */
const assignmentMs = 60_000

/** Statuses with which a platform refuses a delivery of a merchant whom it does not know. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 422])

const placeAt = (key: string, name: string) => ({
  address: { ...stableAddressOf(key), country: 'BR' },
  contact: { name, phone: '+5511999990000' },
})

/** The places of a delivery, under the names of the documents and of the public standard. */
function places({ data }: ProcedureContext) {
  const id = data.merchants[0] ?? 'merchant-1'
  const [pickup, dropoff] = [placeAt('store', 'Loja'), placeAt('customer', 'Ana')]
  return {
    merchant: { id, name: 'Loja', ...pickup },
    merchantId: id,
    pickup,
    dropoff,
    origin: pickup.address,
    destination: dropoff.address,
    customer: dropoff.contact,
  }
}

export const availabilityBody = (context: ProcedureContext, orderId: string): object => ({
  orderId,
  ...places(context),
})

/** A delivery with what may be done about it; steps begin with its label, where it has one. */
export interface CertifiedDelivery {
  readonly orderId: string
  readonly create: (step: string) => Promise<Observed>
  readonly call: (step: string, operation: OperationId, body?: object) => Promise<Observed>
  readonly read: (step: string) => Promise<Observed>
  /** Reads it until it has one of these statuses; the last one observed. */
  readonly until: (
    step: string,
    statuses: readonly DeliveryStatus[],
    within?: number,
  ) => Promise<DeliveryStatus | undefined>
  /** Waits for a courier; asks for one where none comes by itself. */
  readonly untilAssigned: (step: string) => Promise<void>
}

export function certifiedDelivery(context: ProcedureContext, label = ''): CertifiedDelivery {
  const orderId = context.unknownId()
  const prefix = label === '' ? '' : `${label}-`
  const as = 'ordering-application'
  let isCreated = false
  const delivery: CertifiedDelivery = {
    orderId,
    async create(step) {
      const created = await context.call(prefix + step, {
        as,
        operation: 'createDelivery',
        body: { ...places(context), orderId, orderDisplayId: orderId.slice(-6) },
      })
      // What follows would be about a delivery that there is not.
      const isMerchantRefused = refusals.has(created.status) && context.data.merchants.length === 0
      if (isMerchantRefused && !isCreated)
        context.skip(
          lacksData(`it answers ${created.status} to a delivery of our merchant`, 'merchants'),
        )
      isCreated ||= isAcceptedCall(created)
      return created
    },
    call: (step, operation, body = {}) =>
      context.call(prefix + step, { as, operation, params: { orderId }, body }),
    read: (step) =>
      context.call(prefix + step, { as, operation: 'getDelivery', params: { orderId } }),
    until: (step, statuses, within) =>
      readUntil(
        context,
        async () => deliveryStatus(await delivery.read(step)),
        (status) => status !== undefined && statuses.includes(status),
        {
          ...compact({ within }),
          what: `status ${statuses.join(' or ')} in a read of the delivery${statuses.includes('ASSIGNED') ? ', as its courier is designated (courier, or deliveryPerson; LOG-TRA-02, LOG-FLD-05)' : ''}`,
        },
      ),
    async untilAssigned(step) {
      const later: readonly DeliveryStatus[] = ['ASSIGNED', 'IN_TRANSIT']
      const status = await delivery.until(step, later, assignmentMs)
      if (status !== undefined && later.includes(status)) return
      await context.ask({
        kind: 'other',
        instruction: `Assign a courier to the delivery of the order ${orderId}: a read of it then shows status ASSIGNED, and the courier in courier or deliveryPerson (LOG-TRA-02, LOG-FLD-05).`,
        command: { kind: 'delivery.apply', orderId, trigger: 'assign' },
      })
      await delivery.until(step, later)
    },
  }
  return delivery
}
