// @module-tag slow
/** Recordings survive SIGKILL, SIGTERM and a full disk under load. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { load, type LoadResult } from '../../../test/support/load.ts'
import { runsFor } from '../../../test/support/soak.ts'
import {
  emptyFolder,
  killAll,
  type StartedProcess,
  startSparring,
} from '../../../test/support/spawn-sparring.ts'
import { exchangeFromLine } from '../../core/traffic/recording/recorded-exchange.ts'
import type { HttpLine } from '../../core/traffic/recording/format.ts'
import { createRecordingReader, type ReadSummary } from '../../core/traffic/recording/reader.ts'

const started: StartedProcess[] = []
const stops: AbortController[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort()
  await killAll(started)
})

const fileName = 'x.rec.ndjson'

interface Ready {
  readonly counterparts: Readonly<Record<string, string>>
  readonly control: string
}

async function up(cwd: string): Promise<{ program: StartedProcess; ready: Ready }> {
  const args = ['up', '--port', '0', '--record', fileName, '--quiet', '--json']
  const program = startSparring(args, { cwd })
  started.push(program)
  const line = await program.until((text) => text.includes('\n'))
  return { program, ready: JSON.parse(line) as Ready }
}

interface Load {
  /** Answered calls: mark and time. */
  readonly answers: readonly { readonly mark: string; readonly at: number }[]
  /** Resolves when this many calls were answered. */
  readonly until: (count: number) => Promise<void>
  readonly stop: () => void
  readonly ended: Promise<LoadResult>
}

/** A Software Service that calls 500 times per second until it is stopped or the connection fails. */
async function loaded({ control, counterparts }: Ready): Promise<Load> {
  const made = await fetch(`${control}/orders`, { method: 'POST', body: '{}' })
  const { orderId } = (await made.json()) as { orderId: string }
  const answers: { mark: string; at: number }[] = []
  const waiting = new Map<() => void, number>()
  const stop = new AbortController()
  stops.push(stop)
  const url = counterparts['ordering-application'] ?? ''
  const ended = load(
    { url, perSecond: 500, forMs: 15_000, orderId },
    {
      signal: stop.signal,
      onAnswer(answer) {
        answers.push(answer)
        for (const [resolve, count] of waiting) if (answers.length >= count) resolve()
      },
    },
  )
  return {
    answers,
    until: (count) => new Promise((resolve) => waiting.set(resolve, count)),
    stop: () => stop.abort(),
    ended,
  }
}

interface Recorded {
  readonly exchanges: readonly HttpLine[]
  /** The marks of the recorded calls. */
  readonly marks: ReadonlySet<string>
  readonly summary: ReadSummary
}

function read(cwd: string): Recorded {
  const hash = createHash('sha256')
  const reader = createRecordingReader({
    update: (text) => void hash.update(text),
    current: () => hash.copy().digest('hex'),
  })
  const lines = reader.feed(readFileSync(join(cwd, fileName), 'utf8'))
  const { last, summary } = reader.finish()
  const exchanges = [...lines, ...last].flatMap((each) =>
    each.kind === 'exchange' ? [each.line] : [],
  )
  const marks = exchanges.flatMap(
    (line) => /[?&]mark=(\w+)/.exec(exchangeFromLine(line, 0).request.url)?.[1] ?? [],
  )
  return { exchanges, marks: new Set(marks), summary }
}

const seqsOf = ({ exchanges }: Recorded): readonly number[] => exchanges.map(({ _rec }) => _rec.seq)

const isUnique = (numbers: readonly number[]): boolean => new Set(numbers).size === numbers.length

/** Calls before the end comes, of which that of the soak is the longer. */
const [few, many] = [runsFor(150, 200), runsFor(350, 700)]

/** Calls answered in this last part before a kill may be missing from the recording. */
const lostMs = 200

test('after SIGKILL under load the recording opens, and lacks at most calls of the last 200 ms', async () => {
  const cwd = emptyFolder()
  const { program, ready } = await up(cwd)
  const work = await loaded(ready)
  await work.until(many)
  program.kill('SIGKILL')
  expect((await program.ended).signal).toBe('SIGKILL')
  const end = await work.ended
  // The load had not been stopped: the kill came in the middle of it.
  expect(end.failed).toBeGreaterThan(0)

  const recorded = read(cwd)
  expect(recorded.summary.problems).toEqual([])
  expect(recorded.summary.end).toBeUndefined()
  expect(isUnique(seqsOf(recorded))).toBe(true)
  const lastAt = work.answers.at(-1)?.at ?? 0
  const missing = work.answers.filter(({ mark }) => !recorded.marks.has(mark))
  expect(missing.filter(({ at }) => at < lastAt - lostMs)).toEqual([])
  expect(recorded.marks.size).toBeGreaterThan(many - 200)
})

test('restarted on the recording of a killed session, it repairs the torn last line and appends', async () => {
  const cwd = emptyFolder()
  const first = await up(cwd)
  const work = await loaded(first.ready)
  await work.until(few)
  first.program.kill('SIGKILL')
  await first.program.ended
  await work.ended
  const before = read(cwd)
  // Simulates a write that the kill cut off half way.
  const half = '{"_rec":{"v":1,"type":"http","id":"half'
  appendFileSync(join(cwd, fileName), half)

  const second = await up(cwd)
  const torn = readFileSync(join(cwd, `${fileName}.torn`), 'utf8')
  expect(torn.endsWith(`${half}\n`)).toBe(true)
  const more = await loaded(second.ready)
  await more.until(few)
  more.stop()
  await more.ended
  second.program.kill('SIGTERM')
  expect(await second.program.ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^sparring: recording to .* goes on behind an earlier session .*\n$/,
    ),
  })

  const after = read(cwd)
  expect(after.summary).toMatchObject({ problems: [], torn: 0, intact: true })
  expect(after.summary.header).toEqual(before.summary.header)
  expect(after.summary.end?._rec.counts.http).toBe(after.exchanges.length)
  expect(after.exchanges.slice(0, before.exchanges.length)).toEqual(before.exchanges)
  expect(after.exchanges.length).toBeGreaterThanOrEqual(before.exchanges.length + few)
  expect(isUnique(seqsOf(after))).toBe(true)
})

test('after SIGTERM under load the recording is complete, with its end line', async () => {
  const cwd = emptyFolder()
  const { program, ready } = await up(cwd)
  const work = await loaded(ready)
  await work.until(many)
  program.kill('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect((await work.ended).failed).toBeGreaterThan(0)

  const recorded = read(cwd)
  const { summary } = recorded
  expect(summary).toMatchObject({ problems: [], torn: 0, intact: true })
  expect(summary.end?._rec).toMatchObject({
    counts: { http: recorded.exchanges.length },
    dropped: 0,
  })
  expect(isUnique(seqsOf(recorded))).toBe(true)
  // Every answered call is recorded, to the very last.
  expect(work.answers.filter(({ mark }) => !recorded.marks.has(mark))).toEqual([])
})

test.skipIf(!existsSync('/dev/full'))(
  'with a full disk calls are still answered, and the problem is reported',
  async () => {
    const cwd = emptyFolder()
    symlinkSync('/dev/full', join(cwd, fileName))
    const { program, ready } = await up(cwd)
    const work = await loaded(ready)
    // Problems are reported a second after the first call.
    await work.until(700)
    work.stop()
    expect(await work.ended).toMatchObject({ failed: 0, unsuccessful: 0 })
    const session = (await (await fetch(`${ready.control}/session`)).json()) as object
    expect(session).toMatchObject({ recording: { written: 0 } })
    program.kill('SIGTERM')
    const { code, stderr } = await program.ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^sparring: writing to x\.rec\.ndjson: the disk is full \(ENOSPC\)/)
    expect(stderr).toMatch(
      /the recording .*x\.rec\.ndjson is not whole: 0 of \d{3,} exchanges are in it; writing to .*\n$/,
    )
  },
)
