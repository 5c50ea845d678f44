/** The expectations `taken` and `counting: refusals`, against a service that refuses an event. */
import { expect, test } from 'vitest'
import { openReceiver, type ReceiverOptions } from '../../../test/support/webhook-receiver.ts'
import { openSession } from '../session/open-session.ts'
import { playScenario, type ScenarioInput, scenarioOptions } from '../session/run-scenario.ts'

const refusing =
  (...refused: readonly string[]) =>
  (_nth: number, { eventType }: { readonly eventType: string }) => ({
    status: refused.includes(eventType) ? 422 : 204,
  })

async function failuresOf(
  scenarioExpect: ScenarioInput['expect'],
  reply: NonNullable<ReceiverOptions['reply']>,
): Promise<readonly string[]> {
  const scenario = {
    name: 'an order is cancelled',
    about: 'the service takes both events',
    channel: 'webhook',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [{ create: 'o1' }, { trigger: { order: 'o1', move: 'cancel' } }],
    expect: { invariants: [], ...scenarioExpect },
  } satisfies ScenarioInput
  await using service = await openReceiver({ reply })
  await using session = await openSession({
    ...scenarioOptions(scenario),
    port: 0,
    subject: service.url,
    clock: 'virtual',
  })
  const { failures } = await playScenario(session, scenario)
  return failures.map(({ because }) => because)
}

const taken = { taken: [{ event: 'CANCELLED', order: 'o1' }] }

test('taken: an event that is refused once fails it, and is not retried to the end', async () => {
  expect(await failuresOf(taken, refusing('CANCELLED'))).toEqual([
    'CANCELLED of o1 was not taken: it was answered 422',
  ])
})

test('taken: an event that is answered with success holds, one that never comes does not', async () => {
  expect(await failuresOf(taken, refusing('CREATED'))).toEqual([])
  expect(await failuresOf({ taken: [{ event: 'DISPATCHED' }] }, refusing())).toEqual([
    'DISPATCHED was never taken',
  ])
})

test('taken: a redirect takes nothing; a 401 asks for a fresh token, and refuses nothing', async () => {
  const first = (status: number) => (nth: number) => ({ status: nth === 1 ? status : 204 })
  const created = { taken: [{ event: 'CREATED' }] }
  expect(await failuresOf(created, first(302))).toEqual([
    'CREATED was not taken: it was answered 302',
  ])
  expect(await failuresOf(created, first(401))).toEqual([])
})

test('counting: refusals counts what was refused and nothing else', async () => {
  const never: ScenarioInput['expect'] = {
    calls: [{ call: 'receiveOrderEvent', times: 0, counting: 'refusals' }],
  }
  expect(await failuresOf(never, refusing('CREATED'))).toEqual([
    'receiveOrderEvent was refused once, not never',
  ])
  expect(await failuresOf(never, refusing())).toEqual([])
})
