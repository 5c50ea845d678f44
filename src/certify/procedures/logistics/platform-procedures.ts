/** Procedures with a Delivery Platform: lives of deliveries that we create. */
import { defineProcedures, type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import { compact } from '../../../core/base/compact.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isFinalDeliveryStatus } from '../../../core/protocol/logistics/lifecycle.ts'
import { type DeliveryStatus, deliveryStatuses } from '../../../core/protocol/logistics/status.ts'
import { stableAddressOf } from '../../../core/partners/seed-data/stable-address.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { deliveryStatus } from '../../../core/rules/checks/logistics/delivery-assertions.ts'

/** How long the platform may take to designate a courier. */
const assignmentMs = 60_000

/** How long a problem report may take to end a delivery, before the operator is asked to: couriers go on meanwhile. */
const reportTakesMs = 1000

const ends = deliveryStatuses.filter(isFinalDeliveryStatus)

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

const availabilityBody = (context: ProcedureContext, orderId: string): object => ({
  orderId,
  ...places(context),
})

/** A delivery with what may be done about it; steps begin with its label, where it has one. */
interface CertifiedDelivery {
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
  /** Makes a call that no row allows in this status, between two reads that show it; whether both do. */
  readonly callTooEarly: (status: DeliveryStatus, operation: OperationId) => Promise<boolean>
  /** Waits for a courier; asks for one where none comes by itself. */
  readonly untilAssigned: (step: string) => Promise<void>
}

/**
 * Deliveries of a Delivery Platform under certification: created, read and moved by calls of an Ordering Application.
 */
function certifiedDelivery(context: ProcedureContext, label = ''): CertifiedDelivery {
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
    async callTooEarly(status, operation) {
      const name = status.toLowerCase()
      const isIn = async () => deliveryStatus(await delivery.read(`read-${name}`)) === status
      if (!(await isIn())) return false
      await delivery.call(`early-in-${name}`, operation)
      return isIn()
    },
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

const as = 'ordering-application'

const incident = (description: string, isRecoverable = true) => ({
  problemCode: 'OTHER',
  reason: 'OTHER',
  description,
  message: description,
  recoverable: isRecoverable,
  action: isRecoverable ? 'DELIVER_PRODUCT' : 'RETURN_TO_STORE',
})

const cancellation = { cancellationCode: 'MERCHANT_REQUEST', reason: 'OTHER' }

async function tellProblems(delivery: CertifiedDelivery): Promise<void> {
  await delivery.read('read-before-problem')
  await delivery.call('problem', 'reportDeliveryProblem', incident('endereço não encontrado'))
  await delivery.read('read-problem')
  await delivery.call('problem-again', 'reportDeliveryProblem', incident('cliente ausente'))
  await delivery.read('read-problems')
}

const shared = { roles: ['delivery-platform'], needs: ['logistics'] } as const

export const platformProcedures = defineProcedures(shared, {
  /** Whether the platform pushes is in its manifest. */
  'delivery-lookups': {
    about: 'reads the manifest, asks for availability, and calls operations about an unknown order',
    async run(context) {
      await context.call('manifest', { as, operation: 'getManifest' })
      await context.call('availability', {
        as,
        operation: 'checkDeliveryAvailability',
        body: availabilityBody(context, context.unknownId()),
      })
      await context.call('read-unknown', {
        as,
        operation: 'getDelivery',
        params: { orderId: context.unknownId() },
      })
    },
  },
  /** From its creation to DELIVERED, with a repetition of each call. */
  'delivery-life': {
    about: 'takes a delivery from its creation to DELIVERED, and repeats each call',
    changes: 'one delivery, which ends as DELIVERED',
    async run(context) {
      const delivery = certifiedDelivery(context)
      await delivery.create('create')
      await delivery.read('read-new')
      await delivery.create('repeat-create')
      await delivery.read('read-created-again')
      await delivery.call('delivered-early', 'setDeliveryDelivered')
      await delivery.untilAssigned('read-assigned')
      await delivery.read('read-before-ready')
      await delivery.call('ready', 'setDeliveryReadyForPickup')
      await delivery.read('read-ready')
      await delivery.call('repeat-ready', 'setDeliveryReadyForPickup')
      await delivery.read('read-before-collected')
      await delivery.call('collected', 'setDeliveryCollected')
      await delivery.until('read-collected', ['IN_TRANSIT', 'DELIVERED'])
      await delivery.call('repeat-collected', 'setDeliveryCollected')
      await tellProblems(delivery)
      await delivery.read('read-before-delivered')
      await delivery.call('delivered', 'setDeliveryDelivered')
      await delivery.until('read-delivered', ['DELIVERED'])
      await delivery.call('repeat-delivered', 'setDeliveryDelivered')
      await delivery.call('cancel-delivered', 'cancelDelivery', cancellation)
      await context.sleep(3000)
      await delivery.read('read-end')
    },
  },
  /** Cancels in each status, side by side. */
  'delivery-cancel': {
    about:
      'cancels deliveries that are PENDING, ASSIGNED and IN_TRANSIT, and moves a cancelled one',
    changes: 'three deliveries, of which one may stay IN_TRANSIT',
    async run(context) {
      const [pending, assigned, transit] = [
        certifiedDelivery(context, 'pending'),
        certifiedDelivery(context, 'assigned'),
        certifiedDelivery(context, 'transit'),
      ]
      await pending.create('create')
      await pending.read('read-before')
      await pending.call('cancel', 'cancelDelivery', cancellation)
      await assigned.create('create')
      await transit.create('create')
      await transit.callTooEarly('PENDING', 'setDeliveryCollected')
      await pending.until('read-cancelled', ['CANCELLED'])
      await pending.call('repeat-cancel', 'cancelDelivery', cancellation)
      await pending.call('collected-cancelled', 'setDeliveryCollected')
      await pending.call('delivered-cancelled', 'setDeliveryDelivered')
      await pending.read('read-end')
      await assigned.untilAssigned('read-assigned')
      await assigned.read('read-before')
      await assigned.call('cancel', 'cancelDelivery', cancellation)
      await assigned.until('read-cancelled', ['CANCELLED'])
      await transit.untilAssigned('read-assigned')
      if (await transit.callTooEarly('ASSIGNED', 'setDeliveryDelivered')) {
        await transit.call('ready', 'setDeliveryReadyForPickup')
        await transit.read('read-ready')
      }
      await transit.call('collected', 'setDeliveryCollected')
      await transit.until('read-collected', ['IN_TRANSIT', 'DELIVERED'])
      await transit.read('read-before')
      await transit.call('cancel', 'cancelDelivery', cancellation)
      await context.sleep(1000)
      await transit.read('read-cancelled')
      await transit.call('delivered', 'setDeliveryDelivered')
      await transit.until('read-end', ends)
    },
  },
  /** A problem that cannot be recovered ends the delivery, or its operator does. */
  'delivery-failure': {
    about: 'lets a delivery fail on its way',
    actions: ['the failure of a delivery, where a problem report does not bring it about'],
    changes: 'one delivery, which ends as FAILED',
    async run(context) {
      const delivery = certifiedDelivery(context)
      const { orderId } = delivery
      await delivery.create('create')
      await delivery.callTooEarly('PENDING', 'setDeliveryCollected')
      await delivery.untilAssigned('read-assigned')
      await delivery.callTooEarly('ASSIGNED', 'setDeliveryDelivered')
      await delivery.call('collected', 'setDeliveryCollected')
      await delivery.until('read-collected', ['IN_TRANSIT', ...ends])
      await delivery.call('problem', 'reportDeliveryProblem', incident('acidente', false))
      let status = await delivery.until('read-failed', ends, reportTakesMs)
      if (status === 'IN_TRANSIT') {
        let refusal: unknown
        await context
          .ask({
            kind: 'other',
            instruction: `Let the delivery of the order ${orderId} fail for good.`,
            command: { kind: 'delivery.apply', orderId, trigger: 'fail' },
          })
          .catch((problem: unknown) => (refusal = problem))
        status = await delivery.until('read-failed', ends, refusal === undefined ? undefined : 0)
        if (status === 'IN_TRANSIT' && refusal !== undefined) throw refusal
      }
      if (status !== 'FAILED')
        context.skip(`the delivery was ${status ?? 'not readable'} before it could fail`)
      await delivery.call('delivered-failed', 'setDeliveryDelivered')
      await context.sleep(2000)
      await delivery.read('read-end')
    },
  },
})
