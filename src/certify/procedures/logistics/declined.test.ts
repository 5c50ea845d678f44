/** A delivery that is declined: a consumer may ask again, and create it once the platform is available. */
import { procedures } from '../../judge/catalogue.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { judgeTrace } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { consumerChecks } from '../../../core/rules/checks/logistics/consumer-checks.ts'

const orderId = 'order-1'

/** The outcome of LOG-CON-02 for answers to questions for availability, and a creation at the end. */
function outcomeOf(available: readonly boolean[], creates: boolean) {
  const call = (
    operation: 'checkDeliveryAvailability' | 'createDelivery',
    index: number,
    reply: object,
  ) =>
    sampleExchange(index + 1, {
      from: { role: 'software-service', party: 'subject' },
      to: { role: 'delivery-platform', party: 'sparring' },
      operation,
      params: {},
      orderId,
      request: {
        method: 'POST',
        url: 'http://platform/logistics/delivery',
        headers: [],
        body: JSON.stringify({ orderId }),
      },
      reply: { status: 200, headers: [], body: JSON.stringify(reply) },
    })
  const asked = available.map((each, index) =>
    call('checkDeliveryAvailability', index, { available: each }),
  )
  const trace = createTrace({
    role: 'software-service',
    speaks: 'v2',
    capabilities: ['orders', 'logistics'],
    exchanges: [...asked, ...(creates ? [call('createDelivery', available.length, {})] : [])],
    steps: {},
    notes: [{ procedure: 'declined-delivery', name: 'declined order', text: orderId, after: 0 }],
    skipped: {},
  })
  return judgeTrace(trace, { checks: consumerChecks, procedures, unchecked: [] }).find(
    ({ clause }) => clause === 'LOG-CON-02',
  )?.outcome
}

test('[LOG-CON-02] no delivery at a platform that is not available', () => {
  expect(outcomeOf([false], false)).toBe('passed')
  expect(outcomeOf([false], true)).toBe('failed')
  expect(outcomeOf([false, false], true)).toBe('failed')
  expect(outcomeOf([false, true], true)).toBe('passed')
})
