/**
 * CV-11: independent events may arrive in any order, and every order ends alike. Compares runs of one story; reports
 * nothing within one run (compare-outcomes.ts).
 */
import { defineInvariant } from '../../invariant.ts'
import { comparableOutcomesOf, recordSubjectStatus } from '../../tracking/run-outcome.ts'

export const orderOfDeliveryDoesNotMatter = defineInvariant({
  id: 'CV-11',
  name: 'order-of-delivery-does-not-matter',
  sentence: 'Must bring every order to the same end in whatever order its events arrive.',
  remedy:
    'Read the order with GET after each event and act on its status instead of on the event alone.',
  kind: 'safety',
  clauses: ['ORD-EVR-04', 'ORD-EVR-01'],
  premise: 'the same story ran with its events in another order',
  probe: recordSubjectStatus,
  comparableOutcomes: comparableOutcomesOf,
})
