// @module-tag slow
/** A correct service that is killed at any of its messages, again and again, breaks no rule. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHarness } from '../../../../../test/support/in-process-harness.ts'
import { isSoak } from '../../../../../test/support/soak.ts'

const moments = ['before-ack', 'after-ack', 'during-call', 'before-answer', 'after-answer'] as const
const seeds = Array.from({ length: isSoak ? 40 : 2 }, (_, index) => index + 1)

const cases = moments.flatMap((when) =>
  (['polling', 'webhook'] as const).map((channel) => ({ when, channel })),
)

test.each(cases)('$when, by $channel', { timeout: 120_000 }, async ({ when, channel }) => {
  for (const seed of seeds) {
    const folder = mkdtempSync(join(tmpdir(), 'sparring-crashes-'))
    await using harness = await openHarness({
      seed,
      channel,
      delivers: true,
      memory: join(folder, 'orders'),
      faults: [{ crash: { when, percent: 20, limit: 8, down: seed % 2 === 0 ? '500ms' : '5s' } }],
    })
    await harness.order('DELIVERY')
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
    await harness.order('DELIVERY')
    await harness.pass(120_000)
    const crashes = harness.session
      .facts()
      .filter(({ fact }) => fact.kind === 'session.subject-ended')
    const verdicts = await harness.judgeAll()
    const failed = verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'open')
    expect({
      seed,
      failed: failed.map(({ id, outcome, findings }) => [id, outcome, findings[0]?.because]),
    }).toEqual({ seed, failed: [] })
    expect([seed, crashes.length > 0]).toEqual([seed, true])
    rmSync(folder, { recursive: true })
  }
})
