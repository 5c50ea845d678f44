/**
 * AK-2. Events of unused or unknown types are acknowledged as well (ORD-OPS-02), or they are returned forever. Which
 * types a service uses is not observable; types without a status are taken as unused.
 */
import { defineInvariant } from '../../invariant.ts'
import { eventuallyAcknowledged } from '../../helpers/unacknowledged.ts'
import { isAnyOrderEventType, projectedStatus } from '../../tracking/progress.ts'

export const unusedTypesAreAcknowledged = defineInvariant({
  id: 'AK-2',
  name: 'unused-types-are-acknowledged',
  sentence:
    'Must acknowledge events of unknown types, and of types without a status, like all others.',
  remedy: 'Acknowledge every event of a poll, including events whose type is not used.',
  kind: 'liveness',
  clauses: ['ORD-OPS-02'],
  premise: 'a poll returned an event of a type that is unknown or reports no status',
  ...eventuallyAcknowledged({
    isMeant: (eventType) => projectedStatus(eventType) === undefined,
    wordsOf(eventType, of) {
      const what = isAnyOrderEventType(eventType) ? 'which reports no status' : 'an unknown type'
      return `${eventType || 'an event without a type'}${of}, ${what},`
    },
  }),
})
