/**
 * A recording of a duel, through the recorder's own text and its reader: what a file of the same conversation would hold.
 * Its times are the session's, as on a real clock; `wall: true` leaves them as a recorder on a virtual clock writes them.
 */
import { compact } from '../../src/compact.ts'
import type { Exchange } from '../../src/traffic/exchange.ts'
import {
  createExchangeFormatter,
  createHeaderLine,
  formatLine,
} from '../../src/traffic/recording/recording-lines.ts'
import type { RecordingContent } from '../../src/traffic/recording/content.ts'
import { createRecordingReader, type RecordedLine } from '../../src/traffic/recording/reader.ts'
import {
  recordedExchangeFromLine,
  type RecordedExchange,
} from '../../src/traffic/recording/recorded-exchange.ts'
import type { Redactor } from '../../src/traffic/redaction/redactor.ts'
import type { Role } from '../../src/protocol/role.ts'
import { type Duel, type DuelOptions, openDuel } from './in-process-harness.ts'
import type { Session } from '../../src/session-api/session.ts'

export interface Tape {
  /** What was recorded so far. */
  readonly content: () => RecordingContent
}

export interface TapeOptions {
  readonly name?: string
  readonly seed?: number
  readonly subject?: Role | undefined
  readonly redactor?: Redactor
  /** Times of the machine's clock, which a virtual session runs ahead of. */
  readonly wall?: boolean
}

/** Records everything that a session exchanges from now on. */
export function tapeOf(session: Session, options: TapeOptions = {}): Tape {
  const { name = 'a duel', seed, subject, redactor, wall = false } = options
  const heard: Exchange[] = []
  session.onExchange((exchange, { began, ended }) => {
    heard.push(wall ? exchange : { ...exchange, startedAt: began, tookMs: ended - began })
  })
  return {
    content() {
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
        },
      })
      const line = createExchangeFormatter({ header, t0, ...compact({ redactor }) })
      const text = `${formatLine(header)}${heard.map((each) => line(each)).join('')}`
      return readText(name, text)
    },
  }
}

/** A recording of its text, as it is read from a file. */
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

export interface RecordedDuel {
  readonly content: RecordingContent
  /** The invariants that were broken while it was recorded. */
  readonly broken: readonly string[]
}

/** Lets something happen between a session and the reference service, and answers what a recording of it holds. */
export async function recordDuel(
  options: DuelOptions & Pick<TapeOptions, 'redactor' | 'wall'>,
  happen: (duel: Duel) => Promise<void>,
): Promise<RecordedDuel> {
  const { redactor, wall, ...own } = options
  await using duel = await openDuel({ seed: 11, ...own })
  const tape = tapeOf(duel.session, {
    seed: own.seed ?? 11,
    subject: 'software-service',
    ...compact({ redactor }),
    ...(wall ? { wall } : {}),
  })
  await happen(duel)
  const content = tape.content()
  const verdicts = await duel.judged()
  const broken = verdicts.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)
  return { content, broken }
}
