/** A recorded storm: the orders of `scenarios/a-storm.yaml` and its faults, with a defect of the reference service. */
import type { DefectName } from '../../src/demo/defects.ts'
import { recordHarness } from './recorded-session.ts'

export async function stormWith(defect: DefectName) {
  const options = { seed: 2, channel: 'both', delivers: true, defects: [defect] } as const
  const withStorm = { ...options, faults: ['storm:percent=10'] }
  const { content, text } = await recordHarness(withStorm, async (harness) => {
    const first = await harness.order('DELIVERY')
    await harness.order('TAKEOUT')
    for (const type of ['DELIVERY', 'DELIVERY'] as const) {
      await harness.pass(4000)
      await harness.order(type)
    }
    await harness.pass(4000)
    await harness.session.submit({ kind: 'order.apply', orderId: first, trigger: 'cancel' })
    await harness.pass(90_000)
  })
  return { content, text, options }
}
