/**
 * CV-11: independent events may arrive in any order, and every order ends alike. Compares runs of one story; reports
 * nothing within one run (compare-runs.ts).
 */
import { defineInvariant } from '../../invariant.ts'
import { comparableOutcomesOf, recordSubjectStatus } from '../../tracking/run-outcome.ts'

export const orderOfDeliveryDoesNotMatter = defineInvariant<undefined>({
  id: 'CV-11',
  name: 'order-of-delivery-does-not-matter',
  sentence: 'In whatever order events come, every order ends alike.',
  kind: 'safety',
  clauses: ['ORD-EVR-04', 'ORD-EVR-01'],
  premise: 'the same story ran with its events in another order',
  binds: ['software-service'],
  subscriptions: {},
  start: () => undefined,
  handlers: { probe: recordSubjectStatus },
  comparableOutcomes: comparableOutcomesOf,
})
