/**
 * `sparring minimise --start` in real time: a recorded storm is cut down against services that are programs of their
 * own.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSoak } from '../../../../test/support/soak.ts'
import {
  demoServiceCommand,
  emptyFolder,
  runSparring,
} from '../../../../test/support/spawn-sparring.ts'
import { recordHarness } from '../../../../test/support/recorded-session.ts'
import { stormWith } from '../../../../test/support/storm-recording.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'

test.runIf(isSoak)(
  'of a storm three faults and two orders at most are left, in 60 replays, however far the search comes in its time',
  { timeout: 600_000 },
  async () => {
    const folder = emptyFolder()
    const { content, text } = await stormWith('confirms-unread')
    writeFileSync(join(folder, 'storm.rec.ndjson'), text)
    const start = demoServiceCommand('--channel', 'both', '--defect', 'confirms-unread')
    const failure = ['--driver', 'partner', '--failure', 'SE-7']
    const { code, stdout, stderr } = await runSparring(
      ['minimise', 'storm.rec.ndjson', ...failure, '--start', start, '--json', '-o', 'small'],
      { cwd: folder },
    )
    // Ends with 1 where the time was over before the part was verified.
    expect({ code, stderr }).toMatchObject({ code: expect.toBeOneOf([0, 1]) })
    const { replays, kept } = JSON.parse(stdout) as { replays: number; kept: readonly string[] }
    expect(replays).toBeLessThanOrEqual(60)
    const exchanges = content.exchanges.filter(({ recordId }) => kept.includes(recordId))
    const { anomalies, orders } = decisionsOf({ ...content, exchanges })
    process.stdout.write(
      `${replays} replays, ${anomalies.length} faults, ${orders.length} orders\n`,
    )
    expect(anomalies.length).toBeLessThanOrEqual(3)
    expect(orders.length).toBeLessThanOrEqual(2)
    rmSync(folder, { recursive: true })
  },
)

test.runIf(isSoak).each([
  ['claims-for-ever', { operation: 'getOrder', when: 'after-answer', limit: 1 }],
  ['stores-what-it-has-read', { event: 'CREATED', when: 'after-ack', limit: 1 }],
] as const)(
  'of a session in which a service with %s was ended, the crash and few exchanges are left, and a scenario',
  { timeout: 600_000 },
  async (defect, crash) => {
    const folder = emptyFolder()
    const { text } = await recordHarness(
      {
        channel: 'webhook',
        defects: [defect],
        faults: [{ crash }],
        memory: join(folder, 'orders'),
      },
      async (harness) => {
        await harness.order('TAKEOUT')
        await harness.order('TAKEOUT')
        await harness.pass(60_000)
      },
    )
    writeFileSync(join(folder, 'crash.rec.ndjson'), text)
    const correct = demoServiceCommand('--channel', 'webhook', '--think', '200')
    const services = ['--start', `${correct} --defect ${defect}`, '--fixed', correct]
    const argv = ['minimise', 'crash.rec.ndjson', '--json', '-o', 'small', ...services]
    const { code, stdout, stderr } = await runSparring(argv, { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { kept, files } = JSON.parse(stdout) as { kept: readonly string[]; files: string[] }
    expect(kept.length).toBeLessThanOrEqual(20)
    expect(files).toEqual(expect.arrayContaining(['small.rec.ndjson', 'small.yaml']))
    expect(readFileSync(join(folder, 'small.yaml'), 'utf8')).toContain('- crash:')
    rmSync(folder, { recursive: true })
  },
)
