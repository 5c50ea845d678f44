import { expect, test } from 'vitest'
import { exitSummaryLines, exitSummaryView } from './exit-summary.ts'
import { createFakeSession } from '../../../../test/support/dashboard/fake-session.ts'

const snapshot = (recording?: { file: string; written: number; problem?: string }) =>
  createFakeSession(recording ? { recording } : {}).look(exitSummaryView)

test('prints the counts, and the path of the recording', async () => {
  expect(
    exitSummaryLines(await snapshot({ file: 'recordings/a.rec.ndjson', written: 12 })),
  ).toEqual([
    '0 orders, 0 open; 0 exchanges; 0 journal entries. Seed 42, repeat with --seed 42.',
    'Recorded 12 exchanges in recordings/a.rec.ndjson',
  ])
})

test('reports a missing or an incomplete recording', async () => {
  expect(exitSummaryLines(await snapshot())[1]).toBe(
    'Nothing was recorded: --record <file> keeps the traffic.',
  )
  const broken = await snapshot({
    file: 'a.ndjson',
    written: 3,
    problem: 'no space left on device',
  })
  expect(exitSummaryLines(broken)[1]).toBe(
    'The recording a.ndjson is not whole: no space left on device',
  )
})

test('uses singular and plural correctly', async () => {
  const face = createFakeSession()
  await face.createOrder({})
  const lines = exitSummaryLines(await face.look(exitSummaryView))
  expect(lines[0]).toBe(
    '1 order, 1 open; 0 exchanges; 2 journal entries, 1 item still pending. Seed 42, repeat with --seed 42.',
  )
})
