/** Checks of the lifecycle of a delivery at its platform: LOG-TRA and LOG-STA. */
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import { type Check, defineChecks } from '../check.ts'
import { bodyValue, every, observation, isAcceptedCall } from '../assertion.ts'
import { deliveryStatus } from './delivery-assertions.ts'
import {
  cancelledIsNotDelivered,
  changes,
  collectedWhenReady,
  createdIsShown,
  eventsFollow,
} from './delivery-life.ts'
import { isRow, lastAt, moves, type Movement, readsByOrder } from './delivery-assertions.ts'

const platform = { roles: ['delivery-platform'], needs: ['logistics'] } as const
const life = { ...platform, procedures: ['delivery-life'] } as const

const inLife = (step: string): string => `delivery-life/${step}`
const inCancel = (step: string): string => `delivery-cancel/${step}`

interface TransitionRow {
  readonly clause: string
  readonly procedure: string
  readonly movement: Movement
  readonly remedy: string
}

const transitions: readonly TransitionRow[] = [
  {
    clause: 'LOG-TRA-03',
    procedure: 'delivery-life',
    movement: {
      before: inLife('read-before-collected'),
      from: 'ASSIGNED',
      call: inLife('collected'),
      after: inLife('read-collected'),
      to: ['IN_TRANSIT', 'DELIVERED'],
    },
    remedy: 'Set an ASSIGNED delivery to IN_TRANSIT once it was collected.',
  },
  {
    clause: 'LOG-TRA-04',
    procedure: 'delivery-life',
    movement: {
      before: inLife('read-before-delivered'),
      from: 'IN_TRANSIT',
      call: inLife('delivered'),
      after: inLife('read-delivered'),
      to: ['DELIVERED'],
    },
    remedy: 'Set a delivery that is IN_TRANSIT to DELIVERED once it was delivered.',
  },
  {
    clause: 'LOG-TRA-05',
    procedure: 'delivery-cancel',
    movement: {
      before: inCancel('pending-read-before'),
      from: 'PENDING',
      call: inCancel('pending-cancel'),
      after: inCancel('pending-read-cancelled'),
      to: ['CANCELLED'],
    },
    remedy: 'Set a PENDING delivery to CANCELLED when it is cancelled.',
  },
  {
    clause: 'LOG-TRA-06',
    procedure: 'delivery-cancel',
    movement: {
      before: inCancel('assigned-read-before'),
      from: 'ASSIGNED',
      call: inCancel('assigned-cancel'),
      after: inCancel('assigned-read-cancelled'),
      to: ['CANCELLED'],
    },
    remedy: 'Set an ASSIGNED delivery to CANCELLED when it is cancelled.',
  },
]

const transitionCheck = ({ clause, procedure, movement, remedy }: TransitionRow): Check => ({
  clauses: [clause],
  ...platform,
  procedures: [procedure],
  assertion: moves(movement),
  remedy,
})

const concernsFailure = (from: DeliveryStatus, to: DeliveryStatus): boolean =>
  from === 'FAILED' || to === 'FAILED'

export const platformLifecycleChecks = defineChecks(
  { ...platform, procedures: ['delivery-failure'] },
  {
    'LOG-TRA-01': {
      ...life,
      assertion: every(createdIsShown, function* (trace) {
        const [create, read] = [lastAt(trace, inLife('create')), lastAt(trace, inLife('read-new'))]
        if (!create || !read || !isAcceptedCall(create)) return
        yield observation(
          [create, read],
          deliveryStatus(read) === undefined
            ? `it answered ${read.status} to a read of a delivery that it has just created`
            : bodyValue(read.reply, '/orderId') === read.exchange.orderId
              ? undefined
              : 'a new delivery is not bound to the orderId of its creation',
        )
      }),
      remedy:
        'Create the delivery as PENDING, bound to the orderId, so that it can be read at once.',
    },
    'LOG-TRA-02': {
      ...life,
      assertion: function* (trace) {
        for (const reads of readsByOrder(trace).values()) {
          const first = reads.findIndex((read) => deliveryStatus(read) === 'ASSIGNED')
          const assigned = reads[first]
          if (!assigned) continue
          const before = reads
            .slice(0, first)
            .map(deliveryStatus)
            .find((status) => status !== 'PENDING')
          yield observation(
            [assigned],
            before !== undefined && `a delivery is ASSIGNED after it was ${before}`,
          )
        }
      },
      remedy: 'Designate a courier for a PENDING delivery only.',
    },
  },
  transitions.map(transitionCheck),
  {
    'LOG-TRA-07': {
      assertion: changes(concernsFailure, (from, to) =>
        from === 'FAILED'
          ? `a delivery that has FAILED became ${to}`
          : from === 'IN_TRANSIT' || from === 'ASSIGNED'
            ? undefined
            : `a delivery FAILED from ${from}`,
      ),
      remedy: 'Let a delivery fail in IN_TRANSIT only, and leave it FAILED.',
    },
    'LOG-STA-01': {
      procedures: ['delivery-life', 'delivery-cancel', 'delivery-failure'],
      assertion: every(
        changes((from, to) => !concernsFailure(from, to), isRow),
        eventsFollow,
        collectedWhenReady,
        cancelledIsNotDelivered,
      ),
      remedy:
        'Move deliveries by the rows of the lifecycle only, and end those that were cancelled as CANCELLED.',
    },
  },
)
