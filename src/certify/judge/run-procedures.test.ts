// @module-tag slow
/** Waits of procedures: what no procedure has found is not waited for again, and is still found where it is there. */
import { expect, test } from 'vitest'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import { prepareSession } from '../../core/session/session.ts'
import { certificationCounterparts } from '../session/certify-service.ts'
import { CertificationData } from './certification-data.ts'
import { defineProcedures } from './procedure.ts'
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

test('after two vain waits a third one is skipped, but not where what it waits for is there', async () => {
  await using session = await prepareSession({
    clock: 'virtual',
    listen: false,
    automatic: false,
    live: true,
    subject: { role, url: 'http://service.example' },
    handler: () => Promise.resolve(new Response(undefined, { status: 404 })),
    counterparts: certificationCounterparts(role),
  })
  await session.begin()
  const { trace } = await runProcedures({
    session,
    role,
    capabilities: ['orders'],
    procedures: [
      ...waiting('first', false),
      ...waiting('second', false),
      ...waiting('third', false),
      ...waiting('fourth', true),
    ],
    data: CertificationData.parse({}),
    seed: 1,
    ask: () => Promise.resolve({}),
    sleep: abortableSleep,
    signal: new AbortController().signal,
  })
  expect(Object.keys(trace.skipped)).toEqual(['third'])
  expect(trace.skipped['third']).toMatch(
    /^two procedures before have waited in vain for confirmOrder/,
  )
  expect(trace.notes.map(({ text }) => text)).toEqual(['fourth'])
})
