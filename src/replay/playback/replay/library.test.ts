/** Library API of replays: two drivers, from a file or its content, loaded lazily. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { replayRecording } from '../../../sparring/library/index.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { redriveInProcess } from '../../../../test/support/redrive-harness.ts'
import { webhookRecording } from '../../../../test/support/webhook-recording.ts'

const happyPath = fileURLToPath(
  new URL('../../../../recordings/happy-path.rec.ndjson', import.meta.url),
)

test('`client` is the default driver', async () => {
  await using receiver = await openReceiver()
  const report = await replayRecording({
    recording: webhookRecording(3),
    to: receiver.url,
    port: 0,
  })
  expect(report).toMatchObject({ driver: 'client', counts: { same: 3 } })
  expect(receiver.received).toHaveLength(3)
})

test('driver `partner` repeats the partner’s decisions: from a file, against an in-process service', async () => {
  const report = await redriveInProcess(happyPath)
  expect(report).toMatchObject({ driver: 'partner', recording: happyPath })
  expect(report.first).toBeUndefined()
  expect(report.exchanges.length).toBeGreaterThan(10)
  expect(Object.keys(report.counts).toSorted()).toEqual(['noise', 'same'])
})

test.each(['client', 'partner'] as const)('%s: a missing file is a problem', (driver) =>
  expect(
    replayRecording({ driver, recording: 'nowhere.rec.ndjson', to: 'http://127.0.0.1:1' }),
  ).rejects.toMatchObject({ name: 'Problem', message: expect.stringContaining('nowhere') }),
)

/** Static imports of a module, without type imports. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, path = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)[^'"]*?from\s+'(\.[^']+\.ts)'/gm,
  ))
    loadedBy(join(dirname(file), path), seen)
  return seen
}

test('importing the library does not load the replay modules', () => {
  const own = fileURLToPath(new URL('../../../', import.meta.url))
  const loaded = [...loadedBy(join(own, 'sparring/library/index.ts'))].map((file) =>
    file.slice(own.length),
  )
  expect(loaded).toContain('core/runtime/world-runtime.ts')
  expect(loaded).toContain('replay/playback/replay/library.ts')
  const replaying =
    /^replay\/(?:playback\/(?:replay\/(?:replay|redrive)|[^/]+$)|identity|difference|minimise|from-recording)/
  expect(loaded.filter((file) => replaying.test(file))).toEqual([])
})
