/** AK-6. An acknowledgment names 1 to 1,000 events. */
import { defineInvariant } from '../../invariant.ts'

const maxIds = 1000

export const acknowledgmentsNameOneToAThousand = defineInvariant({
  id: 'AK-6',
  name: 'acknowledgments-name-one-to-a-thousand',
  sentence: 'Must name 1 to 1,000 events in an acknowledgment.',
  remedy:
    'Split acknowledgments into batches of at most 1,000 ids, and send none when there is nothing to acknowledge.',
  kind: 'safety',
  clauses: ['ORD-OPS-02'],
  premise: 'the service sent an acknowledgment',
  calls: ['acknowledgeEvents'],
  call(_state, exchange, _watch, report) {
    const ids = exchange.namedEvents()
    if (!ids) return
    report.premise()
    if (ids.length > 0 && ids.length <= maxIds) return
    const many = ids.length === 0 ? 'no event at all' : `${ids.length} events at once`
    report.failed({
      because: `The service acknowledged ${many}; 1 to ${maxIds} are allowed.`,
      evidence: [exchange.evidence],
      deduplicationKey: ids.length === 0 ? 'none' : 'many',
    })
  },
})
