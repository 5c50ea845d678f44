/**
 * A session writes its verdicts, faults and orders behind the exchanges of its recording, redacted, with evidence by
 * number.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSession } from './open-session.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRecordedReport } from '../../../test/support/recorded-report.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { readRecording } from '../runtime/recording/read-recording.ts'
import { sessionPage } from '../../terminal/page/session/report-page.ts'
import type { RecordingContent } from '../traffic/recording/content.ts'

async function record(file: string, defects: readonly 'counts-events'[] = []): Promise<void> {
  await using harness = await openHarness({
    seed: 7,
    defects,
    faults: [{ reorder: { event: 'CONFIRMED' } }],
    session: { recording: { file, fsync: 'off' } },
  })
  await harness.order('TAKEOUT')
  await harness.pass(120_000)
}

async function contentOf(file: string): Promise<RecordingContent> {
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

const failedOf = ({ end }: RecordingContent) =>
  (end?.verdicts ?? []).filter(({ outcome }) => outcome === 'failed')

test('verdicts of a session are read with its recording, and shown by its report', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'a.rec.ndjson')
  await record(file, ['counts-events'])
  const content = await contentOf(file)
  expect(content).toMatchObject({ problems: [], closed: true })
  const failed = failedOf(content)
  expect(failed.length).toBeGreaterThan(0)
  const bySeq = new Map(content.exchanges.map((each) => [each.seq, each]))
  for (const { findings, clauses } of failed) {
    expect(clauses.length).toBeGreaterThan(0)
    for (const { evidence } of findings)
      for (const seq of evidence) expect(bySeq.get(seq)?.from.role).toBeDefined()
  }
  expect(content.end?.verdicts.some(({ outcome }) => outcome === 'not-exercised')).toBe(false)
  const page = sessionPage(await readRecordedReport(file), { title: 'x', limit: 100 })
  const missing = failed.filter(({ id }) => !page.includes(`id="v-${id}" open`))
  expect(missing).toEqual([])
  expect(page).not.toContain('The recording has no verdicts')
})

test('the faults and the slots of the orders are read with it, and the report shows them', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'c.rec.ndjson')
  await record(file)
  const { end, exchanges } = await contentOf(file)
  expect(end?.faults).toEqual([{ name: 'reorder', text: 'reorder:event=CONFIRMED', fired: 1 }])
  const [order] = end?.orders ?? []
  expect(end?.orders).toEqual([{ slot: 'o1', orderId: order?.orderId }])
  expect(exchanges.some(({ orderId }) => orderId === order?.orderId)).toBe(true)
  const page = sessionPage(await readRecordedReport(file), { title: 'x', limit: 100 })
  expect(page).toContain('<code>reorder:event=CONFIRMED</code> <span class="facts">fired once')
  expect(page).toContain(`<code>o1 ${order?.orderId}</code>`)
})

test('in a recording that goes on, the last session’s verdicts count, and name its own exchanges', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'b.rec.ndjson')
  await record(file)
  const first = await contentOf(file)
  expect(failedOf(first)).toEqual([])
  await record(file, ['counts-events'])
  const both = await contentOf(file)
  const evidence = failedOf(both).flatMap(({ findings }) =>
    findings.flatMap(({ evidence: own }) => own),
  )
  expect(evidence.length).toBeGreaterThan(0)
  const last = first.exchanges.at(-1)?.seq ?? 0
  expect(Math.min(...evidence)).toBeGreaterThan(last)
  expect(Math.max(...evidence)).toBeLessThanOrEqual(both.exchanges.at(-1)?.seq ?? 0)
  expect(readFileSync(file, 'utf8').match(/"verdicts":\[/g)).toHaveLength(2)
})

test('calls in flight at the end are in the recording, as failed ones: no exchange is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-end-'))
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  try {
    await once(mute, 'listening')
    const called = once(mute, 'request')
    const session = await openSession({
      as: 'software-service',
      subject: `http://127.0.0.1:${(mute.address() as AddressInfo).port}`,
      port: 0,
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      recording: { file: join(folder, 'end.rec.ndjson') },
    })
    await session.createOrder({ type: 'TAKEOUT' })
    await called
    await session.close()
    const { recording, counts } = (await session.look({})).info
    expect(counts.exchanges).toBeGreaterThan(0)
    expect(recording?.written).toBe(counts.exchanges)
  } finally {
    mute.closeAllConnections()
    mute.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
