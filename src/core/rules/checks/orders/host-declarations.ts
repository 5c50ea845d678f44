/** Checks of names that an Ordering Application declares, emits or calls, and that the protocol does not have. */
import { defineChecks, type Assertion } from '../check.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { each, eachEmitted, every } from '../assertion.ts'
import { manifests, neverCalls } from './host-assertions.ts'
import { orderHost } from './hosted-orders.ts'

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
  every(
    each(manifests, ({ reply }) => {
      const name = textsOf(reply).find((text) => names.includes(text))
      return name !== undefined && `its manifest declares ${name}`
    }),
    eachEmitted(
      undefined,
      ({ eventType = '' }) =>
        names.includes(eventType) && `it emitted ${eventType}, which the protocol does not have`,
    ),
  )

export const orderHostDeclarationChecks = defineChecks(
  { ...orderHost, procedures: ['introduction', 'order-life'] },
  {
    'ORD-CAN-03 MIG-ORD-01': {
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
    'ORD-EVR-08 MIG-ORD-03': {
      assertion: doesNotName('PICKED_UP'),
      remedy: 'Drop the event PICKED_UP: it was removed.',
    },
  },
)
