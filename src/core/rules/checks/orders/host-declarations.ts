/** Checks of names that an Ordering Application declares, emits or calls, and that the protocol does not have. */
import { defineChecks, type Assertion } from '../check.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue, each, every, valuesAt } from '../assertion.ts'
import { never, neverCalls } from './host-assertions.ts'
import { manifests } from './host-assertions.ts'
import { orderHost, orderEventsOf } from './hosted-orders.ts'

/** The texts of a manifest, but for what it declares as unsupported. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isUnknownRecord(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key.startsWith('unsupported') ? [] : [key, ...textsOf(member)],
  )
}

/** Its manifests do not have these names, and its events are of other types. */
const doesNotName = (...names: readonly string[]): Assertion =>
  never(
    (trace) => [...manifests(trace), ...orderEventsOf(trace).map(({ observed }) => observed)],
    (trace) => [
      ...manifests(trace).flatMap((manifest) =>
        names
          .filter((name) => textsOf(manifest.reply).includes(name))
          .map((name) => ({ at: [manifest], problem: `its manifest declares ${name}` })),
      ),
      ...orderEventsOf(trace)
        .filter(({ eventType = '' }) => names.includes(eventType))
        .map(({ observed, eventType }) => ({
          at: [observed],
          problem: `it emitted ${eventType}, which the protocol does not have`,
        })),
    ],
  )

const capabilityNames = (manifest: unknown): readonly string[] => {
  const capabilities = bodyValue(manifest, '/capabilities')
  if (Array.isArray(capabilities))
    return valuesAt(capabilities, '/*/name').map(({ value }) => String(value))
  return isUnknownRecord(capabilities) ? Object.keys(capabilities) : []
}

export const orderHostDeclarationChecks = defineChecks(
  { ...orderHost, procedures: ['orders-manifest', 'order-life'] },
  {
    'ORD-GEN-08': {
      procedures: ['orders-manifest'],
      assertion: each(manifests, ({ reply }) => {
        const names = capabilityNames(reply)
        return names.includes('indoor') && !names.includes('orders')
          ? 'its manifest declares indoor without orders'
          : undefined
      }),
      remedy: 'Declare orders wherever you declare indoor.',
    },
    'ORD-CAN-03': {
      assertion: every(
        doesNotName('acceptCancellation', 'denyCancellation', 'ORDER_CANCELLATION_REQUEST'),
        neverCalls(
          /\/(acceptCancellation|denyCancellation)$/i,
          'it calls an operation for the consent to a cancellation, which does not exist',
        ),
      ),
      remedy:
        'Drop acceptCancellation, denyCancellation and ORDER_CANCELLATION_REQUEST: they are of V1.',
    },
    'ORD-EVR-08': {
      assertion: doesNotName('PICKED_UP'),
      remedy: 'Drop the event PICKED_UP: it was removed.',
    },
  },
)
