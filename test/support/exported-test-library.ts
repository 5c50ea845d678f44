/**
 * The library as an exported test imports it, with the reference service at the address of the subject, in the same
 * process.
 */
import { type InProcessHarness, openHarness } from './in-process-harness.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'

export { playScenario, scenarioOptions } from '../../src/core/session/run-scenario.ts'

const defects = (process.env['DEFECTS'] ?? '').split(',').filter((name) => name !== '')

export async function openSession({ subject: _address, ...session }: SessionOptions) {
  const harness: InProcessHarness = await openHarness({
    seed: session.seed ?? 1,
    channel: session.counterparts?.['ordering-application']?.channel ?? 'polling',
    delivers: session.capabilities?.logistics === true,
    defects: defects as DefectName[],
    session,
  })
  return Object.assign(Object.create(harness.session) as typeof harness.session, {
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  })
}
