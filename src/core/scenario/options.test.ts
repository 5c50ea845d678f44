/** The session that a scenario gets by itself: a run waits for nothing that it does not test. */
import { expect, test } from 'vitest'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import { configurationOf } from './options.ts'
import { readRuns } from './read.ts'

function sessionOf(subject: string, more: object = {}) {
  const scenario = { name: 'a', about: 'b', subject, orders: { o1: { type: 'TAKEOUT' } }, ...more }
  const runs = readRuns({ steps: [{ create: 'o1' }], ...scenario }, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  return configurationOf(runs.value[0]!, {})
}

const of = (...used: readonly string[]) =>
  Object.fromEntries(
    ['indoor', 'logistics', 'customer', 'reviews', 'loyalty'].map((each) => [
      each,
      used.includes(each),
    ]),
  )

test.each([
  ['software-service', of()],
  ['ordering-application', of('indoor', 'logistics', 'customer', 'reviews', 'loyalty')],
  ['delivery-platform', of('logistics')],
  ['crm', of('customer', 'reviews', 'loyalty')],
])('for a %s it has the capabilities that this needs, and no others', (subject, capabilities) => {
  expect(sessionOf(subject).capabilities).toEqual(capabilities)
})

test('what the scenario says wins, and a run without a service has the settings of a session', () => {
  const session = { capabilities: { loyalty: true } }
  expect(sessionOf('software-service', { session }).capabilities).toEqual(of('loyalty'))
  expect(sessionOf('none')).not.toHaveProperty('capabilities')
})
