/** How a person is asked by a line: done, skipped, the time limit, the end of the input, an interruption. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../test/support/test-io.ts'
import type { ServiceAction } from '../judge/procedure.ts'
import { Configuration } from '../../core/session-api/configuration/schema.ts'
import { type AskPerson, createLineQuestion } from './ask-person.ts'
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

/** What the command of --setup is told, as it prints its environment. */
async function toldTo(action: ServiceAction): Promise<Readonly<Record<string, string>>> {
  const { io } = createTestIo({ env: { PATH: process.env['PATH'] } })
  const ask = createAskService({
    io,
    person: undefined,
    setup: `${process.execPath} -p 'JSON.stringify(process.env)'; exit 1`,
    configuration: Configuration.parse({}),
    visit: undefined,
    signal: new AbortController().signal,
  })
  const { why = '' } = await ask(action)
  return JSON.parse(why.replace(/^.*?ended with 1 for .*?: (?=\{)/, '')) as Readonly<
    Record<string, string>
  >
}

test('the command of --setup is told the order that is wanted, and the commands for a session', async () => {
  expect(await toldTo({ kind: 'create-order', type: 'TAKEOUT' })).toMatchObject({
    SPARRING_WISH: 'create-order',
    SPARRING_ORDER: '{"fulfillment":{"orderType":"TAKEOUT"}}',
    SPARRING_COMMANDS: '',
  })
  const full = await toldTo({ kind: 'create-order', type: 'DELIVERY', isFull: true })
  expect(JSON.parse(full['SPARRING_ORDER'] ?? '')).toMatchObject({
    fulfillment: { orderType: 'DELIVERY' },
    items: [{ quantity: 3 }, {}],
  })
  const emitted = await toldTo({
    kind: 'emit-events',
    orderId: 'order-1',
    eventTypes: ['RIDER_ARRIVED_AT_STORE', 'ARRIVED_AT_CUSTOMER'],
  })
  expect(
    emitted['SPARRING_COMMANDS']
      ?.trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each)),
  ).toEqual([
    { kind: 'event.emit', orderId: 'order-1', eventType: 'RIDER_ARRIVED_AT_STORE' },
    { kind: 'event.emit', orderId: 'order-1', eventType: 'ARRIVED_AT_CUSTOMER' },
  ])
})

test('the command of --setup is told which order is cancelled, however that is to be done', async () => {
  const command = {
    kind: 'ticket.cancel',
    orderId: 'order-3',
    request: { reason: 'sold out', code: 'STORE', mode: 'MANUAL' },
  } as const
  const instruction = 'Have the order order-3 cancelled by your store.'
  expect(
    await toldTo({ kind: 'cancel-order', orderId: 'order-3', instruction, command }),
  ).toMatchObject({
    SPARRING_WISH: 'cancel-order',
    SPARRING_ORDER_ID: 'order-3',
    SPARRING_INSTRUCTION: instruction,
    SPARRING_COMMANDS: `${JSON.stringify(command)}\n`,
  })
})

test('the command of --setup is told the call that is to follow, the table, and what it is about', async () => {
  expect(
    await toldTo({
      kind: 'other',
      instruction: 'Take back the bill of table 7.',
      command: { kind: 'table.move', tableId: 'a1', trigger: 'unlock', force: true },
      operation: 'unlockAccount',
      table: '7',
    }),
  ).toMatchObject({
    SPARRING_WISH: 'other',
    SPARRING_OPERATION: 'unlockAccount',
    SPARRING_TABLE: '7',
    SPARRING_TABLE_ID: 'a1',
    SPARRING_TRIGGER: 'unlock',
    SPARRING_INSTRUCTION: 'Take back the bill of table 7.',
  })
  const given = await toldTo({
    kind: 'other',
    instruction: 'Give loyalty account l1 500 points at your side.',
    command: { kind: 'loyalty.adjust', accountId: 'l1', points: 500 },
  })
  expect(given).toMatchObject({ SPARRING_ACCOUNT_ID: 'l1', SPARRING_POINTS: '500' })
  expect(given).not.toHaveProperty('SPARRING_OPERATION')
})

test('what the command of --setup cannot do is asked for by the path of the service', async () => {
  const { io } = createTestIo({ env: { PATH: process.env['PATH'] } })
  const visited: string[] = []
  const ask = createAskService({
    io,
    person: undefined,
    setup: 'echo cannot; exit 1',
    configuration: Configuration.parse({}),
    visit: ({ path }) => {
      visited.push(path)
      return Promise.resolve(path.includes('order-4') ? 202 : 404)
    },
    signal: new AbortController().signal,
  })
  expect(await ask({ kind: 'cancel-order', orderId: 'order-4' })).toEqual({})
  const refused = (action: string) => ({
    why: `the command of --setup ended with 1 for ${action}: cannot`,
  })
  expect(await ask({ kind: 'cancel-order', orderId: 'order-5' })).toEqual(refused('cancel-order'))
  expect(await ask({ kind: 'begin-anew' })).toEqual(refused('begin-anew'))
  expect(await ask({ kind: 'other', instruction: 'Show the rewards.' })).toEqual(
    refused('"Show the rewards."'),
  )
  expect(visited).toHaveLength(2)
})

test('what neither the command of --setup nor a path does is asked of the person at the terminal', async () => {
  const { io } = createTestIo({ env: { PATH: process.env['PATH'] } })
  const instructions: string[] = []
  const asked = (person: AskPerson | undefined) =>
    createAskService({
      io,
      person,
      setup: 'echo no >&2; exit 3',
      configuration: Configuration.parse({}),
      visit: () => Promise.resolve(404),
      signal: new AbortController().signal,
    })({ kind: 'create-order', type: 'DELIVERY' })
  const person: AskPerson = (text) => {
    instructions.push(text)
    return Promise.resolve('done')
  }
  expect(await asked(person)).toEqual({})
  expect(instructions).toEqual(['create a DELIVERY order at the service'])
  expect(await asked(undefined)).toEqual({
    why: 'the command of --setup ended with 3 for create-order: no',
  })
})

test('a path of the service asks for a cancellation, whatever its role', async () => {
  const visited: string[] = []
  const { io } = createTestIo()
  const ask = createAskService({
    io,
    person: undefined,
    setup: undefined,
    configuration: Configuration.parse({}),
    visit: ({ path }) => {
      visited.push(path)
      return Promise.resolve(202)
    },
    signal: new AbortController().signal,
  })
  expect(await ask({ kind: 'cancel-order', orderId: 'order-1' })).toEqual({})
  const instruction = 'have it cancelled by your store'
  expect(await ask({ kind: 'cancel-order', orderId: 'order-2', instruction })).toEqual({})
  expect((await ask({ kind: 'other', instruction })).why).toMatch(/by your store/)
  expect(visited).toEqual([
    '/probe/orders/order-1/request-cancellation',
    '/probe/orders/order-2/request-cancellation',
  ])
})
