/** A correct service stays green while Sparring itself is starved: what its own lag may have caused is inconclusive. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestJudge } from '../../../test/support/judge-fixture.ts'
import { isSoak } from '../../../test/support/soak.ts'
import { judgeTolerances } from '../../../test/support/judge-tolerances.ts'
import { demoServiceCommand } from '../../../test/support/spawn-sparring.ts'
import type { Judge } from '../../core/rules/invariants/judge/judge.ts'
import type { Verdict, VerdictOutcome } from '../../core/rules/invariants/verdict.ts'
import { prepareSession } from '../../core/session/session.ts'
import { freePort } from '../cli/ports.ts'
import { startSubject } from './subject-process.ts'

const [blockMs, breatheMs] = [400, 20]

/** Blocks the event loop of this process over and over. */
function starve(): Disposable {
  const timer = setInterval(() => {
    for (const end = performance.now() + blockMs; performance.now() < end;);
  }, blockMs + breatheMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const idsOf = (all: readonly Verdict[], wanted: VerdictOutcome): readonly string[] =>
  all.flatMap(({ id, outcome }) => (outcome === wanted ? [id] : []))

test.runIf(isSoak)('blocks of 400 ms in our own event loop make nothing red', async () => {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  /** Limits that the blocks exceed, and a judge of the same traffic that knows nothing of the lag. */
  const limits = { ...judgeTolerances, webhookMs: 100, inFlightMs: 100, pollGapMs: 500 }
  let unaware: Judge | undefined
  await using session = await prepareSession(
    {
      as: 'software-service',
      subject: { url, webhooks: { orders: '/webhooks/orders' } },
      only: ['ordering-application'],
      port: 0,
      tolerances: { webhook: 100, inFlight: 100 },
      counterparts: { 'ordering-application': { channel: 'both', deliveries: false } },
    },
    undefined,
    {
      onWorldCreated({ engine }) {
        unaware = createTestJudge({ engine, now: engine.now, limits })
        engine.onFact(unaware.fact)
      },
    },
  )
  session.onExchange((exchange, span) => unaware?.exchange(exchange, span))
  const partner = session.urls.get('ordering-application') ?? ''
  const service = startSubject(
    demoServiceCommand(
      '--ordering-application-url',
      partner,
      '--channel',
      'both',
      '--service-port',
      String(port),
      '--speed',
      '4',
    ),
    process.env,
    process.cwd(),
    { append: () => undefined },
  )
  try {
    const called = Promise.withResolvers<void>()
    session.onExchange(() => called.resolve())
    await called.promise
    await session.begin()
    using _starved = starve()
    for (let made = 0; made < 5; made++) {
      await session.createOrder({ type: 'TAKEOUT' })
      await pause(1000)
    }
    // The blocks did show: without knowing of them the same traffic is red.
    const redWithout = idsOf(unaware?.verdicts() ?? [], 'failed')
    expect(redWithout).not.toEqual([])
    const verdicts = await session.judge()
    expect(idsOf(verdicts, 'failed')).toEqual([])
    expect(idsOf(verdicts, 'inconclusive')).toEqual(expect.arrayContaining([...redWithout]))
    for (const { findings } of verdicts)
      for (const { because } of findings)
        expect(because).toMatch(
          /Sparring itself was .* late in that time, which may be the cause\.$/,
        )
  } finally {
    await service.stop()
  }
})
