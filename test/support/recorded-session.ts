/**
 * Recordings of an in-process session, formatted and parsed as those of the recorder. With `wall: true` their times are
 * those of the machine and no clock is stated, as older versions recorded on a virtual clock.
 */
import { compact } from '../../src/core/base/compact.ts'
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  createHeaderLine,
  formatLine,
} from '../../src/core/traffic/recording/recording-lines.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import {
  createRecordingReader,
  type RecordedLine,
} from '../../src/core/traffic/recording/reader.ts'
import {
  recordedExchangeFromLine,
  type RecordedExchange,
} from '../../src/core/traffic/recording/recorded-exchange.ts'
import type { Redactor } from '../../src/core/traffic/redaction/redactor.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import { type InProcessHarness, type HarnessOptions, openHarness } from './in-process-harness.ts'
import type { Session } from '../../src/core/session-api/session.ts'

export interface TestRecording {
  /** The recording so far. */
  readonly content: () => RecordingContent
  /** The same as a file has it. */
  readonly text: () => string
}

export interface TestRecordingOptions {
  readonly name?: string
  readonly seed?: number
  readonly subject?: Role | undefined
  readonly redactor?: Redactor
  /** Record times of the machine clock, which the virtual time outruns. */
  readonly wall?: boolean
}

/** Records all exchanges of a session from now on. */
export function recordSession(session: Session, options: TestRecordingOptions = {}): TestRecording {
  const { name = 'a duel', seed, subject, redactor, wall = false } = options
  const heard: Exchange[] = []
  session.onExchange((exchange) => {
    const { wall: measured = exchange, ...rest } = exchange
    const { startedAt, tookMs } = measured
    heard.push(wall ? { ...rest, startedAt, tookMs } : exchange)
  })
  return { text, content: () => readText(name, text()) }

  function text(): string {
    const t0 = Math.floor(Math.min(...heard.map(({ startedAt }) => startedAt)))
    const header = createHeaderLine({
      t0,
      salt: '000000000',
      info: {
        name,
        tool: 'sparring/test',
        protocol: { name: 'protocol', version: 'v2' },
        parties: [
          { party: 'sparring', role: 'ordering-application' },
          ...(subject ? [{ party: 'subject', role: subject }] : []),
        ],
        redaction: { policy: 'none', keyId: null, mode: redactor ? 'pseudonym' : 'none' },
        ...compact({ seed }),
        ...(wall ? {} : { clock: { mode: 'virtual', speed: 1 } }),
      },
    })
    const line = createExchangeFormatter({ header, t0, ...compact({ redactor }) })
    return `${formatLine(header)}${heard.map((each) => line(each)).join('')}`
  }
}

/** Parses a recording from text, as from a file. */
function readText(file: string, text: string): RecordingContent {
  const reader = createRecordingReader()
  const lines: readonly RecordedLine[] = [...reader.feed(text), ...reader.finish().last]
  const header = lines.find((each) => each.kind === 'header')?.line
  if (!header) throw new Error('there is no header')
  const t0 = Date.parse(header._rec.t0)
  const exchanges = lines.flatMap((each): RecordedExchange[] =>
    each.kind === 'exchange' ? [recordedExchangeFromLine(each.line, t0)] : [],
  )
  exchanges.sort((a, b) => a.seq - b.seq)
  return { file, header, exchanges, problems: [], closed: true }
}

export interface RecordedHarness {
  readonly content: RecordingContent
  /** The recording as a file has it. */
  readonly text: string
  /** The rules that failed during the recording. */
  readonly failedRules: readonly string[]
}

/** Runs a script between a session and the reference service, and returns the recording of it. */
export async function recordHarness(
  options: HarnessOptions & Pick<TestRecordingOptions, 'redactor' | 'wall'>,
  happen: (harness: InProcessHarness) => Promise<void>,
): Promise<RecordedHarness> {
  const { redactor, wall, ...own } = options
  await using harness = await openHarness({ seed: 11, ...own })
  const recording = recordSession(harness.session, {
    seed: own.seed ?? 11,
    subject: 'software-service',
    ...compact({ redactor }),
    ...(wall ? { wall } : {}),
  })
  await happen(harness)
  const text = recording.text()
  const verdicts = await harness.judgeAll()
  const failedRules = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  return { content: readText('a duel', text), text, failedRules }
}
