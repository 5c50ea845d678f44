/**
 * CV-12: events by polling, by webhook, or by both: every order ends alike. It compares runs of one story: within one of
 * them it says nothing (compare.ts).
 */
import { defineInvariant } from '../../invariant.ts'
import { endingsOf, seeView } from '../../tracking/run-outcome.ts'

export const channelDoesNotMatter = defineInvariant<undefined>({
  id: 'CV-12',
  name: 'channel-does-not-matter',
  sentence: 'Whichever channel events come by, and if they come by both, every order ends alike.',
  kind: 'safety',
  clauses: ['ORD-CHN-01', 'ORD-EVR-03'],
  premise: 'the same story ran over another channel',
  binds: ['software-service'],
  sees: {},
  start: () => undefined,
  shown: { probe: seeView },
  ending: endingsOf,
})
