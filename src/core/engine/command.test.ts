/** The schema of any command, as the control API accepts it. */
import { expect, test } from 'vitest'
import { CommandBody } from './command.ts'

test.each(['2026-01-05T15:00:00Z', '2026-01-05T12:00:00-03:00'])(
  'the start of preparation is an instant with any offset: %s',
  (preparationStartDateTime) => {
    const command = { kind: 'order.amend', orderId: 'a', details: { preparationStartDateTime } }
    expect(CommandBody.parse(command)).toEqual(command)
  },
)

test.each(['2026-01-05T15:00:00', '2026-01-05', 'soon'])('an instant has an offset: %s', (text) => {
  const details = { preparationStartDateTime: text }
  const read = CommandBody.safeParse({ kind: 'order.amend', orderId: 'a', details })
  expect(read.error?.issues[0]?.path).toEqual(['details', 'preparationStartDateTime'])
})
