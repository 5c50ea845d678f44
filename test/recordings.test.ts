// @module-tag slow
/**
 * The committed recordings match their README: made by those commands, redacted, and replayed against the recorded
 * service without a difference.
 */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readRecording } from '../src/core/runtime/recording/read-recording.ts'
import { redactionKeyFrom } from '../src/core/runtime/recording/redaction-key.ts'
import type { RecordingContent } from '../src/core/traffic/recording/content.ts'
import { differingStandings, replayExitCode } from '../src/replay/minimise/failure-signature.ts'
import type { ReplayReport } from '../src/core/traffic/recording/replay-report.ts'
import {
  commandsOf,
  demonstrationKey,
  type ExpectedReplay,
  recordedStories,
} from './support/recorded-stories.ts'
import { redriveInProcess } from './support/redrive-harness.ts'

const folder = fileURLToPath(new URL('../recordings/', import.meta.url))
const ending = '.rec.ndjson'
const maxBytes = 150_000

async function contentOf(name: string): Promise<RecordingContent> {
  const read = await readRecording(`${folder}${name}${ending}`)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

/** The result of a replay, as the stories state it. */
function outcomeOf(report: ReplayReport): ExpectedReplay {
  const first = report.exchanges.find(({ standing }) => differingStandings.has(standing))
  const operation = first && (first.recorded ?? first.live)?.operation
  return {
    exit: replayExitCode(report) === 0 ? 0 : 1,
    ...(first ? { first: [first.standing, operation ?? ''] } : {}),
    // Once for each rule, however many orders it fails for.
    failedRules: [...new Set(report.failedRules.map(({ invariant }) => invariant))],
  }
}

describe.each(recordedStories)('$name', ({ name, recorded, other }) => {
  test('is complete, small, and redacted with the public key', async () => {
    const { problems, closed, header, exchanges } = await contentOf(name)
    expect({ problems, closed }).toEqual({ problems: [], closed: true })
    expect(header._rec.redaction).toMatchObject({
      mode: 'pseudonym',
      keyId: redactionKeyFrom(Buffer.from(demonstrationKey, 'hex')).keyId,
    })
    expect(exchanges.length).toBeGreaterThan(20)
    expect((await readFile(`${folder}${name}${ending}`)).length).toBeLessThan(maxBytes)
  })

  test('the recorded service replays without a difference', async () => {
    const report = await redriveInProcess(await contentOf(name), {
      ...recorded.service,
      timing: 'original',
    })
    expect(outcomeOf(report)).toEqual(recorded.outcome)
  })

  test('another service shows the expected difference', async () => {
    const report = await redriveInProcess(await contentOf(name), {
      ...other.service,
      timing: 'original',
    })
    expect(outcomeOf(report)).toEqual(other.outcome)
  })
})

test('the README lists all recordings, each with the commands that made it', async () => {
  const readme = await readFile(`${folder}README.md`, 'utf8')
  const files = readdirSync(folder).filter((each) => each.endsWith(ending))
  expect(files.toSorted()).toEqual(recordedStories.map(({ name }) => `${name}${ending}`).toSorted())
  const commandsByFile = new Map(
    [...readme.matchAll(/^## `(.+)\.rec\.ndjson`\n[^]*?```sh\n([^]*?)```/gm)].map(
      ([, name = '', commands = '']) => [name, commands.trim().split('\n')] as const,
    ),
  )
  expect([...commandsByFile.keys()].toSorted()).toEqual(
    recordedStories.map(({ name }) => name).toSorted(),
  )
  for (const story of recordedStories)
    expect(commandsByFile.get(story.name)).toEqual(commandsOf(story))
})
