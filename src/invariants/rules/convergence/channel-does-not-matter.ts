/**
 * CV-12: orders end alike whether events come by polling, webhook or both. Compares runs of one story; reports nothing
 * within one run (compare-runs.ts).
 */
import { defineInvariant } from '../../invariant.ts'
import { comparableOutcomesOf, recordSubjectStatus } from '../../tracking/run-outcome.ts'

export const channelDoesNotMatter = defineInvariant<undefined>({
  id: 'CV-12',
  name: 'channel-does-not-matter',
  sentence: 'Whichever channel events come by, and if they come by both, every order ends alike.',
  kind: 'safety',
  clauses: ['ORD-CHN-01', 'ORD-EVR-03'],
  premise: 'the same story ran over another channel',
  binds: ['software-service'],
  subscriptions: {},
  start: () => undefined,
  handlers: { probe: recordSubjectStatus },
  comparableOutcomes: comparableOutcomesOf,
})
