// @module-tag slow
/**
 * Waits of procedures: what no procedure has found is not waited for again, and is still found where it is there. And what
 * they note: behind which exchange.
 */
import { expect, test } from 'vitest'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { prepareSession } from '../../core/session/session.ts'
import { certificationCounterparts } from '../session/certify-service.ts'
import { CertificationData } from './certification-data.ts'
import { defineProcedures, type Procedure } from './procedure.ts'
import { runProcedures } from './run-procedures.ts'

const role = 'software-service'

/** Waits for an order to be confirmed, which it is or never is. */
const waiting = (name: string, isConfirmed: boolean) =>
  defineProcedures(
    { roles: [role] },
    {
      [name]: {
        about: 'waits for a confirmation',
        async run(context) {
          const what = `confirmOrder of order ${context.unknownId()}`
          const found = await context.until(() => isConfirmed, { within: 10_000, what })
          if (found) context.note('confirmed', name)
        },
      },
    },
  )

type Answer = (request: Request) => Promise<Response>
const notFound: Answer = () => Promise.resolve(new Response(undefined, { status: 404 }))

/** The trace of these procedures with a service in this process. */
async function traceOf(procedures: readonly Procedure[], handler = notFound) {
  await using session = await prepareSession({
    clock: 'virtual',
    listen: false,
    automatic: false,
    live: true,
    subject: { role, url: 'http://service.example' },
    handler,
    counterparts: certificationCounterparts(role),
  })
  await session.begin()
  const { trace } = await runProcedures({
    session,
    role,
    capabilities: ['orders'],
    procedures,
    data: CertificationData.parse({}),
    seed: 1,
    ask: () => Promise.resolve({}),
    sleep: abortableSleep,
    signal: new AbortController().signal,
  })
  return trace
}

test('after two vain waits a third one is skipped, but not where what it waits for is there', async () => {
  const trace = await traceOf([
    ...waiting('first', false),
    ...waiting('second', false),
    ...waiting('third', false),
    ...waiting('fourth', true),
  ])
  expect(Object.keys(trace.skipped)).toEqual(['third'])
  expect(trace.skipped['third']).toMatch(
    /^two procedures before have waited in vain for confirmOrder/,
  )
  expect(trace.notes.map(({ text }) => text)).toEqual(['fourth'])
})

test('[TRN-STA-11] a note comes behind the exchange that began last, also where one that began before it ends later', async () => {
  const { promise: isFastAnswered, resolve } = Promise.withResolvers<void>()
  const trace = await traceOf(
    defineProcedures(
      { roles: [role] },
      {
        overlapping: {
          about: 'makes two calls at a time',
          async run(context) {
            const read = { as: 'ordering-application', operation: 'getManifest' } as const
            const call = (name: string) =>
              context.call(name, { ...read, url: `http://service.example/${name}` })
            await Promise.all([call('slow'), call('fast').then(() => resolve())])
            context.note('ends', '')
          },
        },
      },
    ),
    async (request) => {
      if (request.url.endsWith('/slow')) await isFastAnswered
      return notFound(request)
    },
  )
  const [slow, fast] = ['slow', 'fast'].map(
    (name) => trace.exchanges.find(({ request }) => request.url.endsWith(name))?.seq ?? 0,
  )
  expect(fast).toBeGreaterThan(slow ?? 0)
  expect(trace.notes).toMatchObject([{ name: 'ends', after: fast }])
})
