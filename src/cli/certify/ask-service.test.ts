/** How a person is asked by a line: done, skipped, the time limit, the end of the input, an interruption. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../test/support/test-io.ts'
import { Configuration } from '../../configuration/schema.ts'
import { createLineQuestion } from './ask-person.ts'
import { createAskService } from './ask-service.ts'

function asking({ personMs = 60_000, isTTY = true } = {}) {
  const input = new PassThrough()
  const stopping = new AbortController()
  const { io, written } = createTestIo({ isTTY, stdin: () => input })
  const ask = createAskService({
    io,
    person: isTTY ? createLineQuestion(io) : undefined,
    personMs,
    setup: undefined,
    configuration: Configuration.parse({}),
    visit: undefined,
    signal: stopping.signal,
  })
  return { input, stopping, written, ask: () => ask({ kind: 'create-order', type: 'DELIVERY' }) }
}

test('Enter says that it is done, s skips it, one after the other', async () => {
  const { input, ask, written } = asking()
  const first = ask()
  input.write('\n')
  expect(await first).toEqual({})
  const second = ask()
  input.write('s\n')
  expect(await second).toEqual({
    why: 'it was skipped: create a DELIVERY order at the service',
  })
  expect(written().stderr).toMatch(
    /^do this: create a DELIVERY order at the service, then press Enter; .* \(60 s\)\n/,
  )
})

test('the time limit is told', async () => {
  const { ask } = asking({ personMs: 20 })
  expect(await ask()).toEqual({
    why: 'it was not done in 1 second: create a DELIVERY order at the service',
  })
})

test('after the end of the input nobody is waited for, now or later', async () => {
  const { input, ask } = asking()
  const first = ask()
  input.end()
  const gone = {
    why: 'the input of the terminal has ended: create a DELIVERY order at the service',
  }
  expect(await first).toEqual(gone)
  expect(await ask()).toEqual(gone)
})

test('an interruption ends the question', async () => {
  const { stopping, ask } = asking()
  const first = ask()
  stopping.abort()
  expect(await first).toEqual({ why: 'interrupted' })
})

test('without a terminal it does not wait', async () => {
  const { ask, written } = asking({ isTTY: false })
  expect((await ask()).why).toMatch(/give --setup, a path in subject\.asks, or a terminal/)
  expect(written().stderr).toBe('')
})
