/** Checks of what V2 changed in merchants, menus and Logistics: MIG-MER, MIG-MNU, MIG-LOG. */
import type { Role } from '../../../protocol/role.ts'
import { defineChecks, type Assertion } from '../check.ts'
import { answersOf, bodyValue, observation, successful, valuesAt } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { noCallTo, nestedObjectsIn } from './migration-assertions.ts'
import { capabilityIn, lastManifest } from './manifests.ts'

const ordersRoles = ['ordering-application', 'software-service'] as const satisfies readonly Role[]

/** Bodies that the service has sent. */
const bodiesOf = (trace: Trace): readonly (readonly [Observed, unknown])[] =>
  trace.all.flatMap((observed) => {
    const body = observed.isCall ? observed.request : observed.reply
    return body === undefined ? [] : [[observed, body] as const]
  })

const noMember =
  (name: string): Assertion =>
  (trace) =>
    bodiesOf(trace).map(([observed, body]) =>
      observation(
        [observed],
        nestedObjectsIn(body).some((one) => name in one) && `it sends ${name}, which V2 has not`,
      ),
    )

/** Ids of merchants in a reply of GET /merchants, in either shape. */
const merchantIdsIn = (reply: unknown): readonly string[] =>
  ['/merchants/*/merchantId', '/merchants/*/id', '/*/merchantId', '/*/id'].flatMap((pointer) =>
    valuesAt(reply, pointer).map(({ value }) => String(value)),
  )

const merchantPointers = ['/merchantId', '/merchant/id', '/merchant/merchantId']

/** Merchants in what the service sends are those of a list. */
function* merchantsAreListed(
  messages: readonly Observed[],
  lists: readonly Observed[],
  bodyOf: (observed: Observed) => unknown,
) {
  const known = new Set(
    lists.flatMap(({ isCall, reply }) => (isCall || reply ? merchantIdsIn(reply) : [])),
  )
  if (known.size === 0) return
  for (const observed of messages)
    for (const pointer of merchantPointers) {
      const id = bodyValue(bodyOf(observed), pointer)
      if (typeof id === 'string')
        yield observation(
          [observed],
          !known.has(id) && `it names the merchant ${id}, which GET /merchants does not list`,
        )
    }
}

/** The code of an entity stays the same. */
const codesAreKept: Assertion = function* (trace) {
  const codes = new Map<string, string>()
  for (const [observed, body] of bodiesOf(trace))
    for (const entity of nestedObjectsIn(body)) {
      const id = entity['merchantId'] ?? entity['id']
      const { externalCode } = entity
      if (typeof id !== 'string' || typeof externalCode !== 'string') continue
      const known = codes.get(id) ?? externalCode
      codes.set(id, known)
      yield observation(
        [observed],
        known !== externalCode && `the externalCode of ${id} was ${known} and is ${externalCode}`,
      )
    }
}

/** Events come as the tracking mode says; that mutations are answered with 202 is TRN-STA-02. */
const followsTrackingMode: Assertion = function* (trace) {
  const mode = capabilityIn(lastManifest(trace), 'logistics')?.block['trackingMode']
  const [created] = successful(answersOf('createDelivery'))(trace)
  const [event] = trace.calls('receiveDeliveryEvent')
  if (!created || mode === undefined) return
  const problem =
    mode === 'push' && !event
      ? 'it declares the tracking mode push, and hands over no event'
      : mode === 'pull' && event
        ? 'it declares the tracking mode pull, and hands over events'
        : undefined
  yield observation(event ? [created, event] : [created], problem)
}

const readOrders = successful(answersOf('getOrder'))

export const merchantMigrationChecks = defineChecks(
  { roles: ordersRoles, procedures: ['introduction', 'activity'] },
  {
    'MIG-MER-01': {
      roles: ['ordering-application'],
      assertion: (trace) =>
        merchantsAreListed(readOrders(trace), trace.answers('listMerchants'), ({ reply }) => reply),
      remedy: 'Name merchants in orders by the ids that GET /merchants lists.',
    },
  },
  {
    'MIG-MER-01': {
      roles: ['software-service'],
      assertion: (trace) =>
        merchantsAreListed(trace.calls(), trace.calls('listMerchants'), ({ request }) => request),
      remedy: 'Name merchants by the ids that GET /merchants of the Ordering Application lists.',
    },
    'MIG-MER-02': {
      assertion: noMember('merchantType'),
      remedy: 'Do not send merchantType, which V2 has not.',
    },
    'MIG-MER-05': {
      assertion: codesAreKept,
      remedy: 'Keep the externalCode of an entity as it is.',
    },
    'MIG-MNU-01': {
      assertion: noCallTo(/merchantUpdate$/i, 'merchantUpdate'),
      remedy: 'Do not send the webhook merchantUpdate, which V2 has not.',
    },
    'MIG-LOG-01': {
      roles: ['delivery-platform'],
      needs: ['logistics'],
      assertion: followsTrackingMode,
      remedy:
        'Answer mutations of Logistics with 202, and hand events over or not as trackingMode says.',
    },
  },
)
