/**
 * CV-12: orders end alike whether events come by polling, webhook or both. Compares runs of one story; reports nothing
 * within one run (compare-outcomes.ts).
 */
import { defineInvariant } from '../../invariant.ts'
import { comparableOutcomesOf, recordSubjectStatus } from '../../tracking/run-outcome.ts'

export const channelDoesNotMatter = defineInvariant({
  id: 'CV-12',
  name: 'channel-does-not-matter',
  sentence: 'Must bring every order to the same end by polling, by webhook and by both together.',
  remedy:
    'Pass the events of both channels through the same code, with one record of the processed event ids.',
  kind: 'safety',
  clauses: ['ORD-CHN-01', 'ORD-EVR-03'],
  premise: 'the same story ran over another channel',
  probe: recordSubjectStatus,
  comparableOutcomes: comparableOutcomesOf,
})
